ALTER TABLE `trigger_deliveries` ADD `chat_id` text;
--> statement-breakpoint
UPDATE `trigger_deliveries` SET `chat_id` = `payload` ->> '$.chatId' WHERE `payload` IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `trigger_deliveries_payload_long` ON `trigger_deliveries` (`payload`) WHERE typeof("trigger_deliveries"."payload") = 'blob';