DROP INDEX `trigger_deliveries_trigger`;--> statement-breakpoint
CREATE INDEX `trigger_deliveries_trigger` ON `trigger_deliveries` (`trigger_id`,`workspace_id`,`due_date`,`id`);