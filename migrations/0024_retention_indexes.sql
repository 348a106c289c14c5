CREATE INDEX `workspaces_deleted` ON `workspaces` (`deleted_date`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_created` ON `audit_events` (`created_date`);--> statement-breakpoint
CREATE INDEX `request_failures_created` ON `request_failures` (`created_date`);