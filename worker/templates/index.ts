/** All built-in templates, in the order in which they are shown. */
import { agentWithTools } from './chatflows/agent-with-tools.ts'
import { answersByExample } from './chatflows/answers-by-example.ts'
import { answersFromDocuments } from './chatflows/answers-from-documents.ts'
import { conversationWithMemory } from './chatflows/conversation-with-memory.ts'
import { listOfIdeas } from './chatflows/list-of-ideas.ts'
import { longConversation } from './chatflows/long-conversation.ts'
import { moderatedChat } from './chatflows/moderated-chat.ts'
import { promptChaining } from './chatflows/prompt-chaining.ts'
import { questionRouter } from './chatflows/question-router.ts'
import { reasoningAgent } from './chatflows/reasoning-agent.ts'
import { structuredAnswers } from './chatflows/structured-answers.ts'
import { approvalBeforeSending } from './flows/approval-before-sending.ts'
import { bugReportClassifier } from './flows/bug-report-classifier.ts'
import { codeReview } from './flows/code-review.ts'
import { compareTwoAnswers } from './flows/compare-two-answers.ts'
import { contentModeration } from './flows/content-moderation.ts'
import { dailyDigest } from './flows/daily-digest.ts'
import { dataCleanUp } from './flows/data-clean-up.ts'
import { documentAnswers } from './flows/document-answers.ts'
import { emailReplyDraft } from './flows/email-reply-draft.ts'
import { extractToJson } from './flows/extract-to-json.ts'
import { faqWithHandover } from './flows/faq-with-handover.ts'
import { incidentSummary } from './flows/incident-summary.ts'
import { invoiceReading } from './flows/invoice-reading.ts'
import { leadQualification } from './flows/lead-qualification.ts'
import { meetingNotesToTasks } from './flows/meeting-notes-to-tasks.ts'
import { onboardingAssistant } from './flows/onboarding-assistant.ts'
import { priceWatch } from './flows/price-watch.ts'
import { productTexts } from './flows/product-texts.ts'
import { quizMaker } from './flows/quiz-maker.ts'
import { reportWriter } from './flows/report-writer.ts'
import { researchTeam } from './flows/research-team.ts'
import { researchWithSources } from './flows/research-with-sources.ts'
import { sentimentRouting } from './flows/sentiment-routing.ts'
import { sqlQuestions } from './flows/sql-questions.ts'
import { supportTriage } from './flows/support-triage.ts'
import { translationWithReview } from './flows/translation-with-review.ts'
import { travelPlanner } from './flows/travel-planner.ts'
import { webhookToSlack } from './flows/webhook-to-slack.ts'
import type { Template } from './types.ts'

export const templates: readonly Template[] = [
  supportTriage,
  approvalBeforeSending,
  compareTwoAnswers,
  faqWithHandover,
  sentimentRouting,
  emailReplyDraft,
  webhookToSlack,
  dailyDigest,
  meetingNotesToTasks,
  extractToJson,
  documentAnswers,
  invoiceReading,
  dataCleanUp,
  sqlQuestions,
  researchWithSources,
  researchTeam,
  reportWriter,
  translationWithReview,
  contentModeration,
  quizMaker,
  productTexts,
  leadQualification,
  onboardingAssistant,
  travelPlanner,
  codeReview,
  bugReportClassifier,
  incidentSummary,
  priceWatch,
  conversationWithMemory,
  answersFromDocuments,
  agentWithTools,
  reasoningAgent,
  structuredAnswers,
  promptChaining,
  moderatedChat,
  listOfIdeas,
  questionRouter,
  answersByExample,
  longConversation,
]
