-- Whether a hold is placed for a call that is yet to come.
ALTER TYPE asked_call ADD ATTRIBUTE spare boolean;
