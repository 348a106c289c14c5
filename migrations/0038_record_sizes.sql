ALTER TABLE `workspaces` ADD `records_size` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `workspaces` SET `records_size` =
	(SELECT coalesce(sum(coalesce(length(run.`input`), 0) + coalesce(length(run.`error`), 0) + coalesce(length(run.`flow_state`), 0) + coalesce(length(run.`action`), 0)), 0) FROM `executions` run WHERE run.`workspace_id` = `workspaces`.`id`)
	+ (SELECT coalesce(sum(coalesce(length(step.`item`), 0) + coalesce(length(step.`sealed`), 0)), 0) FROM `execution_steps` step JOIN `executions` run ON run.`id` = step.`execution_id` WHERE run.`workspace_id` = `workspaces`.`id`)
	+ (SELECT coalesce(sum(coalesce(length(message.`content`), 0) + coalesce(length(message.`file_uploads`), 0) + coalesce(length(message.`source_documents`), 0) + coalesce(length(message.`used_tools`), 0) + coalesce(length(message.`artifacts`), 0) + coalesce(length(message.`reason_content`), 0) + coalesce(length(message.`action`), 0)), 0) FROM `chat_messages` message WHERE message.`workspace_id` = `workspaces`.`id`);
--> statement-breakpoint
CREATE TRIGGER `executions_sized` AFTER INSERT ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + (coalesce(length(NEW.`input`), 0) + coalesce(length(NEW.`error`), 0) + coalesce(length(NEW.`flow_state`), 0) + coalesce(length(NEW.`action`), 0))) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `executions_resized` AFTER UPDATE OF `input`, `error`, `flow_state`, `action` ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + (coalesce(length(NEW.`input`), 0) + coalesce(length(NEW.`error`), 0) + coalesce(length(NEW.`flow_state`), 0) + coalesce(length(NEW.`action`), 0)) - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`error`), 0) + coalesce(length(OLD.`flow_state`), 0) + coalesce(length(OLD.`action`), 0))) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `executions_unsized` BEFORE DELETE ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`error`), 0) + coalesce(length(OLD.`flow_state`), 0) + coalesce(length(OLD.`action`), 0)) - (SELECT coalesce(sum(coalesce(length(step.`item`), 0) + coalesce(length(step.`sealed`), 0)), 0) FROM `execution_steps` step WHERE step.`execution_id` = OLD.`id`)) WHERE `id` = OLD.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_sized` AFTER INSERT ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + (coalesce(length(NEW.`item`), 0) + coalesce(length(NEW.`sealed`), 0))) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = NEW.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_unsized` AFTER DELETE ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + - (coalesce(length(OLD.`item`), 0) + coalesce(length(OLD.`sealed`), 0))) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = OLD.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `chat_messages_sized` AFTER INSERT ON `chat_messages` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + (coalesce(length(NEW.`content`), 0) + coalesce(length(NEW.`file_uploads`), 0) + coalesce(length(NEW.`source_documents`), 0) + coalesce(length(NEW.`used_tools`), 0) + coalesce(length(NEW.`artifacts`), 0) + coalesce(length(NEW.`reason_content`), 0) + coalesce(length(NEW.`action`), 0))) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `chat_messages_resized` AFTER UPDATE OF `content`, `file_uploads`, `source_documents`, `used_tools`, `artifacts`, `reason_content`, `action` ON `chat_messages` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + (coalesce(length(NEW.`content`), 0) + coalesce(length(NEW.`file_uploads`), 0) + coalesce(length(NEW.`source_documents`), 0) + coalesce(length(NEW.`used_tools`), 0) + coalesce(length(NEW.`artifacts`), 0) + coalesce(length(NEW.`reason_content`), 0) + coalesce(length(NEW.`action`), 0)) - (coalesce(length(OLD.`content`), 0) + coalesce(length(OLD.`file_uploads`), 0) + coalesce(length(OLD.`source_documents`), 0) + coalesce(length(OLD.`used_tools`), 0) + coalesce(length(OLD.`artifacts`), 0) + coalesce(length(OLD.`reason_content`), 0) + coalesce(length(OLD.`action`), 0))) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `chat_messages_unsized` AFTER DELETE ON `chat_messages` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + - (coalesce(length(OLD.`content`), 0) + coalesce(length(OLD.`file_uploads`), 0) + coalesce(length(OLD.`source_documents`), 0) + coalesce(length(OLD.`used_tools`), 0) + coalesce(length(OLD.`artifacts`), 0) + coalesce(length(OLD.`reason_content`), 0) + coalesce(length(OLD.`action`), 0))) WHERE `id` = OLD.`workspace_id`;
END;
