CREATE INDEX `executions_flow_state_long` ON `executions` (`flow_state`) WHERE typeof("executions"."flow_state") = 'blob';--> statement-breakpoint
CREATE INDEX `executions_action_long` ON `executions` (`action`) WHERE typeof("executions"."action") = 'blob';
--> statement-breakpoint
DROP TRIGGER `executions_sized`;
--> statement-breakpoint
DROP TRIGGER `executions_resized`;
--> statement-breakpoint
DROP TRIGGER `executions_unsized`;
--> statement-breakpoint
CREATE TRIGGER `executions_sized` AFTER INSERT ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + coalesce(length(NEW.`input`), 0) + coalesce(length(NEW.`input_texts`), 0) + coalesce(length(NEW.`error`), 0) + coalesce((CASE typeof(NEW.`flow_state`) WHEN 'blob' THEN cast(substr(NEW.`flow_state`, 13, 10) AS integer) ELSE length(NEW.`flow_state`) END), 0) + coalesce((CASE typeof(NEW.`action`) WHEN 'blob' THEN cast(substr(NEW.`action`, 13, 10) AS integer) ELSE length(NEW.`action`) END), 0)) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `executions_resized` AFTER UPDATE OF `input`, `input_texts`, `error`, `flow_state`, `action` ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` + (coalesce(length(NEW.`input`), 0) + coalesce(length(NEW.`input_texts`), 0) + coalesce(length(NEW.`error`), 0) + coalesce((CASE typeof(NEW.`flow_state`) WHEN 'blob' THEN cast(substr(NEW.`flow_state`, 13, 10) AS integer) ELSE length(NEW.`flow_state`) END), 0) + coalesce((CASE typeof(NEW.`action`) WHEN 'blob' THEN cast(substr(NEW.`action`, 13, 10) AS integer) ELSE length(NEW.`action`) END), 0)) - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`input_texts`), 0) + coalesce(length(OLD.`error`), 0) + coalesce((CASE typeof(OLD.`flow_state`) WHEN 'blob' THEN cast(substr(OLD.`flow_state`, 13, 10) AS integer) ELSE length(OLD.`flow_state`) END), 0) + coalesce((CASE typeof(OLD.`action`) WHEN 'blob' THEN cast(substr(OLD.`action`, 13, 10) AS integer) ELSE length(OLD.`action`) END), 0))) WHERE `id` = NEW.`workspace_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `executions_unsized` BEFORE DELETE ON `executions` BEGIN
	UPDATE `workspaces` SET `records_size` = max(0, `records_size` - (coalesce(length(OLD.`input`), 0) + coalesce(length(OLD.`input_texts`), 0) + coalesce(length(OLD.`error`), 0) + coalesce((CASE typeof(OLD.`flow_state`) WHEN 'blob' THEN cast(substr(OLD.`flow_state`, 13, 10) AS integer) ELSE length(OLD.`flow_state`) END), 0) + coalesce((CASE typeof(OLD.`action`) WHEN 'blob' THEN cast(substr(OLD.`action`, 13, 10) AS integer) ELSE length(OLD.`action`) END), 0)) - (SELECT coalesce(sum(coalesce((CASE typeof(step.`item`) WHEN 'blob' THEN cast(substr(step.`item`, 13, 10) AS integer) ELSE length(step.`item`) END), 0) + coalesce(length(step.`texts`), 0) + coalesce(length(step.`sealed`), 0)), 0) FROM `execution_steps` step WHERE step.`execution_id` = OLD.`id`) - (SELECT coalesce(sum(coalesce((CASE typeof(stored.`text`) WHEN 'blob' THEN cast(substr(stored.`text`, 13, 10) AS integer) ELSE length(stored.`text`) END), 0)), 0) FROM `run_texts` stored WHERE stored.`execution_id` = OLD.`id`)) WHERE `id` = OLD.`workspace_id`;
END;
