CREATE TABLE `upsert_history` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`chatflowid` text NOT NULL,
	`result` text NOT NULL,
	`flow_data` text NOT NULL,
	`date` text NOT NULL,
	FOREIGN KEY (`chatflowid`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `upsert_history_flow` ON `upsert_history` (`chatflowid`,`date`);--> statement-breakpoint
CREATE TABLE `upsert_records` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`chatflowid` text NOT NULL,
	`namespace` text NOT NULL,
	`source` text NOT NULL,
	`upserted_date` text NOT NULL,
	FOREIGN KEY (`chatflowid`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `upsert_records_namespace` ON `upsert_records` (`chatflowid`,`namespace`,`upserted_date`);