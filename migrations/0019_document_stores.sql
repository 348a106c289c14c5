CREATE TABLE `document_chunks` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`store_id` text NOT NULL,
	`doc_id` text NOT NULL,
	`source_id` text NOT NULL,
	`chunk_no` integer NOT NULL,
	`page_content` text NOT NULL,
	`metadata` text NOT NULL,
	`headings` text DEFAULT '' NOT NULL,
	`hash` text NOT NULL,
	`origin_hash` text NOT NULL,
	`tokens` integer DEFAULT 0 NOT NULL,
	`is_enabled` integer DEFAULT true NOT NULL,
	`edited_date` text,
	`proposed_content` text,
	FOREIGN KEY (`store_id`) REFERENCES `document_stores`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`source_id`) REFERENCES `document_sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `document_chunks_doc` ON `document_chunks` (`doc_id`,`chunk_no`,`id`);--> statement-breakpoint
CREATE INDEX `document_chunks_store` ON `document_chunks` (`store_id`,`hash`);--> statement-breakpoint
CREATE INDEX `document_chunks_source` ON `document_chunks` (`source_id`,`chunk_no`);--> statement-breakpoint
CREATE TABLE `document_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`store_id` text NOT NULL,
	`doc_id` text,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`state_reason` text,
	`request` text NOT NULL,
	`files_total` integer DEFAULT 0 NOT NULL,
	`files_done` integer DEFAULT 0 NOT NULL,
	`files_failed` integer DEFAULT 0 NOT NULL,
	`pages` integer DEFAULT 0 NOT NULL,
	`chunks_total` integer DEFAULT 0 NOT NULL,
	`chunks_done` integer DEFAULT 0 NOT NULL,
	`tokens` integer DEFAULT 0 NOT NULL,
	`cost` real,
	`num_added` integer DEFAULT 0 NOT NULL,
	`num_updated` integer DEFAULT 0 NOT NULL,
	`num_deleted` integer DEFAULT 0 NOT NULL,
	`num_skipped` integer DEFAULT 0 NOT NULL,
	`cursor` text,
	`lease_until` text,
	`attempt` integer DEFAULT 0 NOT NULL,
	`created_date` text NOT NULL,
	`started_date` text,
	`ended_date` text,
	FOREIGN KEY (`store_id`) REFERENCES `document_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `document_jobs_store` ON `document_jobs` (`store_id`,`created_date`,`id`);--> statement-breakpoint
CREATE INDEX `document_jobs_open` ON `document_jobs` (`state`,`lease_until`) WHERE ended_date IS NULL;--> statement-breakpoint
CREATE TABLE `document_loaders` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`store_id` text NOT NULL,
	`loader_id` text NOT NULL,
	`loader_name` text NOT NULL,
	`loader_config` text NOT NULL,
	`splitter_id` text DEFAULT '' NOT NULL,
	`splitter_name` text DEFAULT '' NOT NULL,
	`splitter_config` text DEFAULT '{}' NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`total_chunks` integer DEFAULT 0 NOT NULL,
	`total_chars` integer DEFAULT 0 NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `document_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `document_loaders_store` ON `document_loaders` (`store_id`,`created_date`,`id`);--> statement-breakpoint
CREATE TABLE `document_shelves` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`store_id` text NOT NULL,
	`state` text NOT NULL,
	`embedder` text,
	`dimensions` integer,
	`created_date` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `document_shelves_store` ON `document_shelves` (`store_id`,`state`) WHERE state <> 'dropped';--> statement-breakpoint
CREATE INDEX `document_shelves_state` ON `document_shelves` (`state`);--> statement-breakpoint
CREATE TABLE `document_sources` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`store_id` text NOT NULL,
	`doc_id` text,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`mime` text,
	`size` integer DEFAULT 0 NOT NULL,
	`is_stored` integer DEFAULT false NOT NULL,
	`hash` text,
	`version` text,
	`status` text NOT NULL,
	`error` text,
	`pages` integer DEFAULT 0 NOT NULL,
	`chars` integer DEFAULT 0 NOT NULL,
	`chunks` integer DEFAULT 0 NOT NULL,
	`seen_by` text,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `document_stores`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`doc_id`) REFERENCES `document_loaders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `document_sources_key` ON `document_sources` (`store_id`,`doc_id`,`key`);--> statement-breakpoint
CREATE INDEX `document_sources_doc` ON `document_sources` (`doc_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `document_sources_sent` ON `document_sources` (`created_date`) WHERE doc_id IS NULL;--> statement-breakpoint
CREATE TABLE `document_stores` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`embedding_config` text,
	`vector_store_config` text,
	`record_manager_config` text,
	`search_config` text,
	`schedule_config` text,
	`next_refresh` text,
	`last_sync_date` text,
	`total_chunks` integer DEFAULT 0 NOT NULL,
	`total_chars` integer DEFAULT 0 NOT NULL,
	`total_bytes` integer DEFAULT 0 NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `document_stores_workspace` ON `document_stores` (`workspace_id`,`updated_date`,`id`);--> statement-breakpoint
CREATE INDEX `document_stores_due` ON `document_stores` (`next_refresh`) WHERE next_refresh IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `document_sources_deleted` AFTER DELETE ON `document_sources` WHEN OLD.`is_stored` BEGIN
	INSERT OR REPLACE INTO `file_deletions` (`key`) VALUES (OLD.`workspace_id` || '/' || OLD.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `document_stores_deleted` AFTER DELETE ON `document_stores` BEGIN
	UPDATE `document_shelves` SET `state` = 'dropped' WHERE `store_id` = OLD.`id`;
END;
