CREATE TABLE `retired_ids` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`retired_date` text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `chatflows_retired` AFTER DELETE ON `chatflows` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `triggers_retired` AFTER DELETE ON `triggers` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `assistants_retired` AFTER DELETE ON `assistants` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `tools_retired` AFTER DELETE ON `tools` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `custom_templates_retired` AFTER DELETE ON `custom_templates` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `variables_retired` AFTER DELETE ON `variables` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `document_stores_retired` AFTER DELETE ON `document_stores` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `workspaces_retired` AFTER DELETE ON `workspaces` BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
-- Of runs only those whose link was given out.
CREATE TRIGGER `executions_retired` AFTER DELETE ON `executions` WHEN OLD.`is_public` = 1 BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
CREATE TRIGGER `executions_unshared` AFTER UPDATE OF `is_public` ON `executions` WHEN OLD.`is_public` = 1 AND NEW.`is_public` = 0 BEGIN
	INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`) VALUES (OLD.`id`, OLD.`workspace_id`, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
--> statement-breakpoint
-- What was deleted before, as far as the audit log knows.
INSERT OR IGNORE INTO `retired_ids` (`id`, `workspace_id`, `retired_date`)
SELECT `target_id`, `in_workspace_id`, `created_date` FROM `audit_events`
WHERE `event` IN ('flow.delete', 'variable.delete') AND `in_workspace_id` IS NOT NULL AND `target_id` NOT IN (SELECT `id` FROM `chatflows`);
