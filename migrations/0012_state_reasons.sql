-- The reasons are compared when a flow is saved, so stored ones follow the new wording.
UPDATE `triggers` SET `state_reason` = 'The flow’s Start node no longer uses this trigger' WHERE `state_reason` = 'The flow’s Start node does not name it any more';
--> statement-breakpoint
UPDATE `triggers` SET `state_reason` = 'Its settings need a change. ' || substr(`state_reason`, length('It cannot run as it is set. ') + 1) WHERE substr(`state_reason`, 1, length('It cannot run as it is set. ')) = 'It cannot run as it is set. ';
