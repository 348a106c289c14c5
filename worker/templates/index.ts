/** All built-in templates, in the order in which they are shown. */
import { approvalBeforeSending } from './approval-before-sending.ts'
import { compareTwoAnswers } from './compare-two-answers.ts'
import { dailyDigest } from './daily-digest.ts'
import { extractToJson } from './extract-to-json.ts'
import { reportWriter } from './report-writer.ts'
import { supportTriage } from './support-triage.ts'
import { translationWithReview } from './translation-with-review.ts'
import type { Template } from './types.ts'
import { webhookToSlack } from './webhook-to-slack.ts'

export const templates: readonly Template[] = [
  supportTriage,
  approvalBeforeSending,
  webhookToSlack,
  extractToJson,
  dailyDigest,
  reportWriter,
  translationWithReview,
  compareTwoAnswers,
]
