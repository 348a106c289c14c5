ALTER TABLE `trigger_deliveries` ADD `handed_date` text;--> statement-breakpoint
ALTER TABLE `trigger_deliveries` ADD `times_handed` integer DEFAULT 0 NOT NULL;