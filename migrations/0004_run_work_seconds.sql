-- Runs that ended before their work was counted: none of them waited for a person.
UPDATE `executions` SET `work_seconds` = max(0, (julianday(`updated_date`) - julianday(`created_date`)) * 86400)
WHERE `state` <> 'INPROGRESS';
