CREATE INDEX `execution_steps_item_long` ON `execution_steps` (`item`) WHERE typeof("execution_steps"."item") = 'blob';--> statement-breakpoint
CREATE INDEX `run_texts_text_long` ON `run_texts` (`text`) WHERE typeof("run_texts"."text") = 'blob';
--> statement-breakpoint
DROP TRIGGER `executions_unsized`;
--> statement-breakpoint
DROP TRIGGER `execution_steps_sized`;
--> statement-breakpoint
DROP TRIGGER `execution_steps_unsized`;
--> statement-breakpoint
DROP TRIGGER `run_texts_sized`;
--> statement-breakpoint
DROP TRIGGER `run_texts_unsized`;
--> statement-breakpoint
CREATE TRIGGER `executions_unsized` BEFORE DELETE ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`input_texts`), 0) + coalesce(length(OLD.`error`), 0) + coalesce(length(OLD.`flow_state`), 0) + coalesce(length(OLD.`action`), 0)) - (SELECT coalesce(sum(coalesce((CASE typeof(step.`item`) WHEN 'blob' THEN cast(substr(step.`item`, 13, 10) AS integer) ELSE length(step.`item`) END), 0) + coalesce(length(step.`texts`), 0) + coalesce(length(step.`sealed`), 0)), 0) FROM `execution_steps` step WHERE step.`execution_id` = OLD.`id`) - (SELECT coalesce(sum(coalesce((CASE typeof(stored.`text`) WHEN 'blob' THEN cast(substr(stored.`text`, 13, 10) AS integer) ELSE length(stored.`text`) END), 0)), 0) FROM `run_texts` stored WHERE stored.`execution_id` = OLD.`id`)) WHERE `id` = OLD.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_sized` AFTER INSERT ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + coalesce((CASE typeof(NEW.`item`) WHEN 'blob' THEN cast(substr(NEW.`item`, 13, 10) AS integer) ELSE length(NEW.`item`) END), 0) + coalesce(length(NEW.`texts`), 0) + coalesce(length(NEW.`sealed`), 0)) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = NEW.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_unsized` AFTER DELETE ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - (coalesce((CASE typeof(OLD.`item`) WHEN 'blob' THEN cast(substr(OLD.`item`, 13, 10) AS integer) ELSE length(OLD.`item`) END), 0) + coalesce(length(OLD.`texts`), 0) + coalesce(length(OLD.`sealed`), 0))) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = OLD.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `run_texts_sized` AFTER INSERT ON `run_texts` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + coalesce((CASE typeof(NEW.`text`) WHEN 'blob' THEN cast(substr(NEW.`text`, 13, 10) AS integer) ELSE length(NEW.`text`) END), 0)) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = NEW.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `run_texts_unsized` AFTER DELETE ON `run_texts` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - coalesce((CASE typeof(OLD.`text`) WHEN 'blob' THEN cast(substr(OLD.`text`, 13, 10) AS integer) ELSE length(OLD.`text`) END), 0)) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = OLD.`execution_id`);
END;
