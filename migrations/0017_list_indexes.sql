DROP INDEX `chatflows_workspace`;--> statement-breakpoint
CREATE INDEX `chatflows_workspace` ON `chatflows` (`workspace_id`,`type`,`updated_date`,`id`,`name`);--> statement-breakpoint
DROP INDEX `executions_parent`;--> statement-breakpoint
CREATE INDEX `executions_flow` ON `executions` (`workspace_id`,`agentflow_id`,`created_date`,`id`);--> statement-breakpoint
CREATE INDEX `executions_session` ON `executions` (`workspace_id`,`session_id`,`created_date`,`id`);--> statement-breakpoint
CREATE INDEX `executions_unfinished` ON `executions` (`workspace_id`,`state`,`created_date`,`id`) WHERE "executions"."state" <> 'FINISHED';--> statement-breakpoint
CREATE INDEX `executions_starred` ON `executions` (`workspace_id`,`created_date`,`id`) WHERE "executions"."is_starred" = 1;--> statement-breakpoint
CREATE INDEX `executions_replay` ON `executions` (`workspace_id`,`replay_of`,`created_date`,`id`) WHERE "executions"."replay_of" is not null;--> statement-breakpoint
CREATE INDEX `executions_parent` ON `executions` (`parent_execution_id`,`workspace_id`,`created_date`,`id`) WHERE "executions"."parent_execution_id" is not null;