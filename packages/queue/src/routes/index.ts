/** Every route under /v1. */
import { answerRoutes } from './answers.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { applicationRoutes } from './applications.ts'
import { audienceRoutes } from './audiences.ts'
import { auditRoutes } from './audit.ts'
import { bulkRoutes } from './bulk.ts'
import { channelPauseRoutes } from './channel-pause.ts'
import { channelRoutes } from './channels.ts'
import { cohortRoutes } from './cohorts.ts'
import { confirmationRoutes } from './confirmations.ts'
import { consentRoutes } from './consents.ts'
import { contactRoutes } from './contacts.ts'
import { correctionRoutes } from './corrections.ts'
import { diaryRoutes } from './diary.ts'
import { endpointRoutes } from './endpoints.ts'
import { enrolmentRoutes } from './enrolments.ts'
import { erasureRoutes } from './erasures.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './files.ts'
import { flowRoutes } from './flow.ts'
import { forecastRoutes } from './forecast.ts'
import { groupCodeRoutes } from './group-codes.ts'
import { groupRoutes } from './groups.ts'
import { heardRoutes } from './heard.ts'
import { historyRoutes } from './histories.ts'
import { importRoutes } from './imports.ts'
import { limitRoutes } from './limits.ts'
import { memberRoutes } from './members.ts'
import { messageRoutes } from './messages.ts'
import { peopleRoutes } from './people.ts'
import { peopleSearchRoutes } from './people-search.ts'
import { personDataRoutes } from './person-data.ts'
import { personReceiptRoutes } from './person-receipts.ts'
import { presenceRoutes } from './presence.ts'
import { pushRoutes } from './push.ts'
import { readRoutes } from './read.ts'
import { rebuildRoutes } from './rebuild.ts'
import { receiptRoutes } from './receipts.ts'
import { replayRoutes } from './replay.ts'
import { retireRoutes } from './retire.ts'
import { retryRoutes } from './retry.ts'
import { roleRoutes } from './roles.ts'
import { senderEventRoutes } from './sender-events.ts'
import { serviceRoutes } from './service.ts'
import { sessionRoutes } from './sessions.ts'
import { setAsideRoutes } from './set-aside.ts'
import { settingsRoutes } from './settings.ts'
import { shardRoutes } from './shards.ts'
import { statsRoutes } from './stats.ts'
import { statsPeopleRoutes } from './stats-people.ts'
import { streamRoutes } from './streams.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { takeBackRoutes } from './take-back.ts'
import { templateRoutes } from './templates.ts'
import { toldByVoiceRoutes } from './told-by-voice.ts'
import { topicRoutes } from './topics.ts'
import { typeRoutes } from './types.ts'
import { unknownReceiptRoutes } from './unknown-receipts.ts'
import { waitingRoutes } from './waiting.ts'
import { webhookSecretRoutes } from './webhook-secrets.ts'
import { wishesRoutes } from './wishes.ts'

export const v1Routes = [
  messageRoutes,
  bulkRoutes,
  fileRoutes,
  historyRoutes,
  receiptRoutes,
  flowRoutes,
  forecastRoutes,
  replayRoutes,
  unknownReceiptRoutes,
  toldByVoiceRoutes,
  correctionRoutes,
  retryRoutes,
  waitingRoutes,
  eventRoutes,
  senderEventRoutes,
  audienceRoutes,
  limitRoutes,
  peopleRoutes,
  peopleSearchRoutes,
  groupRoutes,
  memberRoutes,
  groupCodeRoutes,
  applicationRoutes,
  cohortRoutes,
  templateRoutes,
  topicRoutes,
  typeRoutes,
  roleRoutes,
  subscriptionRoutes,
  settingsRoutes,
  contactRoutes,
  pushRoutes,
  webhookSecretRoutes,
  endpointRoutes,
  heardRoutes,
  readRoutes,
  setAsideRoutes,
  enrolmentRoutes,
  confirmationRoutes,
  consentRoutes,
  wishesRoutes,
  diaryRoutes,
  personReceiptRoutes,
  personDataRoutes,
  erasureRoutes,
  presenceRoutes,
  answerRoutes,
  sessionRoutes,
  auditRoutes,
  importRoutes,
  takeBackRoutes,
  channelRoutes,
  channelPauseRoutes,
  rebuildRoutes,
  retireRoutes,
  shardRoutes,
  statsRoutes,
  statsPeopleRoutes,
  serviceRoutes,
  streamRoutes,
  apiKeyRoutes,
]
