CREATE TABLE `upsert_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`chatflowid` text NOT NULL,
	`store_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`progress` text NOT NULL,
	`result` text,
	`attempt` integer DEFAULT 0 NOT NULL,
	`lease_until` text,
	`created_date` text NOT NULL,
	`ended_date` text,
	FOREIGN KEY (`chatflowid`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `upsert_jobs_flow` ON `upsert_jobs` (`chatflowid`);--> statement-breakpoint
CREATE INDEX `upsert_jobs_open` ON `upsert_jobs` (`lease_until`) WHERE "upsert_jobs"."ended_date" is null;