"""File name extensions that occur in documents."""

FILE_ENDINGS = frozenset(
    "bat cfg conf crt css csv db env exe gz htm html ini jar jpg js json lock log md pdf pem png py sh sql svg toml ts "
    "txt xml yaml yml zip".split()
)
