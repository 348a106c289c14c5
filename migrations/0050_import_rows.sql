CREATE INDEX `execution_steps_sealed_long` ON `execution_steps` (`sealed`) WHERE typeof("execution_steps"."sealed") = 'blob';--> statement-breakpoint
CREATE INDEX `import_rows_row_long` ON `import_rows` (`row`) WHERE typeof("import_rows"."row") = 'blob';
--> statement-breakpoint
DROP TRIGGER `executions_unsized`;
--> statement-breakpoint
DROP TRIGGER `execution_steps_sized`;
--> statement-breakpoint
DROP TRIGGER `execution_steps_unsized`;
--> statement-breakpoint
CREATE TRIGGER `executions_unsized` BEFORE DELETE ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`input_texts`), 0) + coalesce(length(OLD.`error`), 0) + coalesce((CASE typeof(OLD.`flow_state`) WHEN 'blob' THEN cast(substr(OLD.`flow_state`, 13, 10) AS integer) ELSE length(OLD.`flow_state`) END), 0) + coalesce((CASE typeof(OLD.`action`) WHEN 'blob' THEN cast(substr(OLD.`action`, 13, 10) AS integer) ELSE length(OLD.`action`) END), 0)) - (SELECT coalesce(sum(coalesce((CASE typeof(step.`item`) WHEN 'blob' THEN cast(substr(step.`item`, 13, 10) AS integer) ELSE length(step.`item`) END), 0) + coalesce(length(step.`texts`), 0) + coalesce((CASE typeof(step.`sealed`) WHEN 'blob' THEN cast(substr(step.`sealed`, 13, 10) AS integer) ELSE length(step.`sealed`) END), 0)), 0) FROM `execution_steps` step WHERE step.`execution_id` = OLD.`id`) - (SELECT coalesce(sum(coalesce((CASE typeof(stored.`text`) WHEN 'blob' THEN cast(substr(stored.`text`, 13, 10) AS integer) ELSE length(stored.`text`) END), 0)), 0) FROM `run_texts` stored WHERE stored.`execution_id` = OLD.`id`)) WHERE `id` = OLD.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_sized` AFTER INSERT ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + coalesce((CASE typeof(NEW.`item`) WHEN 'blob' THEN cast(substr(NEW.`item`, 13, 10) AS integer) ELSE length(NEW.`item`) END), 0) + coalesce(length(NEW.`texts`), 0) + coalesce((CASE typeof(NEW.`sealed`) WHEN 'blob' THEN cast(substr(NEW.`sealed`, 13, 10) AS integer) ELSE length(NEW.`sealed`) END), 0)) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = NEW.`execution_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `execution_steps_unsized` AFTER DELETE ON `execution_steps` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - (coalesce((CASE typeof(OLD.`item`) WHEN 'blob' THEN cast(substr(OLD.`item`, 13, 10) AS integer) ELSE length(OLD.`item`) END), 0) + coalesce(length(OLD.`texts`), 0) + coalesce((CASE typeof(OLD.`sealed`) WHEN 'blob' THEN cast(substr(OLD.`sealed`, 13, 10) AS integer) ELSE length(OLD.`sealed`) END), 0))) WHERE `id` = (SELECT run.`workspace_id` FROM `executions` run WHERE run.`id` = OLD.`execution_id`);
END;
