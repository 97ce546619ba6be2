/** What the routes share, built once for each app. */
import { shardNames } from '@courier-fleet/api-types'
import { createEvents, createStats, createTemplates } from '@courier-fleet/store'
import { createSubscriptions, createViews } from '@courier-fleet/subscriptions'
import { createWebhookSecrets } from '@courier-fleet/webhooks'
import { createAcceptMessages } from './acceptance/accept-message.ts'
import { createReadAddressees } from './acceptance/addressees.ts'
import { createMoveEvents } from './acceptance/move-events.ts'
import { createSameAgain } from './acceptance/same-again.ts'
import { createSenderLines } from './acceptance/sender-lines.ts'
import { createAudit } from './access/audit.ts'
import { createSendingRights } from './access/sending-rights.ts'
import { createSessions } from './access/sessions.ts'
import { createSignIns } from './access/sign-ins.ts'
import type { AppDeps, RouteDeps } from './app-deps.ts'
import { createFiles } from './files/files.ts'
import type { Metrics } from './fleet/metrics.ts'
import { createSystemMessages } from './fleet/system-messages.ts'
import { createBackground } from './http/background.ts'
import { createIdempotency } from './http/idempotency.ts'
import { createAllowances } from './limits/allowances.ts'
import { createBudgetViews } from './limits/budget-views.ts'
import { createOpenCalls } from './limits/open-calls.ts'
import { createQuota } from './limits/quota.ts'
import { createRateLimits } from './limits/rate-limits.ts'
import { createRedisRoom } from './limits/redis-room.ts'
import { createEnrolments } from './people/enrolments.ts'
import { createErasures } from './people/erasures.ts'
import { createLinkContact } from './people/link-contact.ts'
import { createPersonWishes } from './people/person-wishes.ts'
import { createRemovePerson } from './people/remove-person.ts'
import { createForecasts } from './plan/forecast.ts'
import { createChangeSettings } from './settings/change-settings.ts'

/** @param stopping as RouteDeps has it */
export function createServices(deps: AppDeps, metrics: Metrics, stopping: AbortSignal): RouteDeps {
  const budgetViews = createBudgetViews(deps)
  const quota = createQuota({ ...deps, budgetViews })
  const rateLimits = createRateLimits(deps)
  const allowances = createAllowances(deps)
  const redisRoom = createRedisRoom(deps)
  const audit = createAudit(deps)
  const files = createFiles({ ...deps, allowances, audit })
  const senderLines = createSenderLines(deps)
  const addressees = createReadAddressees(deps)
  const forecasts = createForecasts(deps)
  const background = createBackground(deps)
  const events = createEvents(deps)
  const templates = createTemplates(deps.redis)
  const systemMessages = createSystemMessages({ ...deps, rateLimits })
  const webhookSecrets = createWebhookSecrets({ ...deps, sealingKey: deps.webhooks.sealingKey })
  const sendingRights = createSendingRights(deps)
  const sessions = createSessions(deps)
  const subscriptions = createSubscriptions(deps)
  const removePerson = createRemovePerson({ ...deps, sendingRights, sessions, audit })
  const onRefused = (person: string) => audit.write({ action: 'session.refused', by: person, via: 'web', person })
  return {
    ...deps,
    acceptMessages: createAcceptMessages({
      ...deps,
      events,
      templates,
      allowances,
      redisRoom,
      files,
      quota,
      budgetViews,
      senderLines,
      addressees,
      forecasts,
      sameAgain: createSameAgain(deps),
      metrics,
      audit,
      webhookSecrets,
    }),
    addressees,
    events,
    templates,
    moveEvents: createMoveEvents({ ...deps, events, forecasts }),
    idempotency: createIdempotency(deps),
    allowances,
    redisRoom,
    files,
    openCalls: createOpenCalls(deps),
    quota,
    budgetViews,
    rateLimits,
    metrics,
    senderLines,
    forecasts,
    enrolments: createEnrolments(deps),
    sessions,
    signIns: createSignIns({ ...deps, rateLimits, systemMessages, background, onRefused }),
    systemMessages,
    linkContact: createLinkContact({ ...deps, audit, systemMessages, background }),
    personWishes: createPersonWishes({ ...deps, audit }),
    background,
    audit,
    sendingRights,
    removePerson,
    erasures: createErasures({ ...deps, subscriptions, removePerson, files, audit }),
    changeSettings: createChangeSettings({ ...deps, audit, sendingRights }),
    stats: createStats({ redis: deps.redis, shards: shardNames(deps.shards) }),
    subscriptions,
    views: createViews(deps),
    webhookSecrets,
    stopping,
  }
}
