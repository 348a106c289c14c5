ALTER TABLE `organization_members` ADD `gets_question_emails` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `executions` ADD `announced_date` text;--> statement-breakpoint
CREATE INDEX `executions_unannounced` ON `executions` (`state`,`stopped_date`) WHERE "executions"."state" = 'STOPPED' and "executions"."announced_date" is null;