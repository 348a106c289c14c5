CREATE TABLE `run_texts` (
	`execution_id` text NOT NULL,
	`hash` text NOT NULL,
	`text` text NOT NULL,
	`created_date` text NOT NULL,
	PRIMARY KEY(`execution_id`, `hash`),
	FOREIGN KEY (`execution_id`) REFERENCES `executions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `execution_steps` ADD `texts` text;--> statement-breakpoint
ALTER TABLE `executions` ADD `input_texts` text;
--> statement-breakpoint
DROP TRIGGER `executions_sized`;
--> statement-breakpoint
DROP TRIGGER `executions_resized`;
--> statement-breakpoint
DROP TRIGGER `executions_unsized`;
--> statement-breakpoint
DROP TRIGGER `execution_steps_sized`;
--> statement-breakpoint
DROP TRIGGER `execution_steps_unsized`;
--> statement-breakpoint
CREATE TRIGGER `executions_sized` AFTER INSERT ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + coalesce(length(NEW.`input`), 0) + coalesce(length(NEW.`input_texts`), 0) + coalesce(length(NEW.`error`), 0) + coalesce(length(NEW.`flow_state`), 0) + coalesce(length(NEW.`action`), 0)) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `executions_resized` AFTER UPDATE OF `input`, `input_texts`, `error`, `flow_state`, `action` ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + (coalesce(length(NEW.`input`), 0) + coalesce(length(NEW.`input_texts`), 0) + coalesce(length(NEW.`error`), 0) + coalesce(length(NEW.`flow_state`), 0) + coalesce(length(NEW.`action`), 0)) - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`input_texts`), 0) + coalesce(length(OLD.`error`), 0) + coalesce(length(OLD.`flow_state`), 0) + coalesce(length(OLD.`action`), 0))) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `executions_unsized` BEFORE DELETE ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`input_texts`), 0) + coalesce(length(OLD.`error`), 0) + coalesce(length(OLD.`flow_state`), 0) + coalesce(length(OLD.`action`), 0)) - (SELECT coalesce(sum(coalesce(length(step.`item`), 0) + coalesce(length(step.`texts`), 0) + coalesce(length(step.`sealed`), 0)), 0) FROM `execution_steps` step WHERE step.`execution_id` = OLD.`id`) - (SELECT coalesce(sum(coalesce(length(stored.`text`), 0)), 0) FROM `run_texts` stored WHERE stored.`execution_id` = OLD.`id`)) WHERE `id` = OLD.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_sized` AFTER INSERT ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + coalesce(length(NEW.`item`), 0) + coalesce(length(NEW.`texts`), 0) + coalesce(length(NEW.`sealed`), 0)) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = NEW.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_unsized` AFTER DELETE ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - (coalesce(length(OLD.`item`), 0) + coalesce(length(OLD.`texts`), 0) + coalesce(length(OLD.`sealed`), 0))) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = OLD.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `run_texts_sized` AFTER INSERT ON `run_texts` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + coalesce(length(NEW.`text`), 0)) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = NEW.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `run_texts_unsized` AFTER DELETE ON `run_texts` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - coalesce(length(OLD.`text`), 0)) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = OLD.`execution_id`);
END;
