"""Questions by chat models: an author model proposes candidates, a judge model checks them, the best become rows."""
