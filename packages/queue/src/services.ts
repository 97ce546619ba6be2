/** What the routes share, built once for each app. */
import { shardNames } from '@courier-fleet/api-types'
import { createEvents, createStats, createTemplates } from '@courier-fleet/store'
import { createSubscriptions, createViews } from '@courier-fleet/subscriptions'
import { createWebhookSecrets } from '@courier-fleet/webhooks'
import { createAcceptMessages } from './accept-message.ts'
import { createReadAddressees } from './addressees.ts'
import { createAllowances } from './allowances.ts'
import type { AppDeps, RouteDeps } from './app-deps.ts'
import { createAudit } from './audit.ts'
import { createBackground } from './background.ts'
import { createBudgetViews } from './budget-views.ts'
import { createChangeSettings } from './change-settings.ts'
import { createEnrolments } from './enrolments.ts'
import { createErasures } from './erasures.ts'
import { createForecasts } from './forecast.ts'
import { createIdempotency } from './idempotency.ts'
import { createLinkContact } from './link-contact.ts'
import type { Metrics } from './metrics.ts'
import { createMoveEvents } from './move-events.ts'
import { createOpenCalls } from './open-calls.ts'
import { createPersonWishes } from './person-wishes.ts'
import { createQuota } from './quota.ts'
import { createRateLimits } from './rate-limits.ts'
import { createRedisRoom } from './redis-room.ts'
import { createRemovePerson } from './remove-person.ts'
import { createSameAgain } from './same-again.ts'
import { createSenderLines } from './sender-lines.ts'
import { createSendingRights } from './sending-rights.ts'
import { createSessions } from './sessions.ts'
import { createSignIns } from './sign-ins.ts'
import { createSystemMessages } from './system-messages.ts'

/** @param stopping as RouteDeps has it */
export function createServices(deps: AppDeps, metrics: Metrics, stopping: AbortSignal): RouteDeps {
  const budgetViews = createBudgetViews(deps)
  const quota = createQuota({ ...deps, budgetViews })
  const rateLimits = createRateLimits(deps)
  const allowances = createAllowances(deps)
  const redisRoom = createRedisRoom(deps)
  const audit = createAudit(deps)
  const senderLines = createSenderLines(deps)
  const addressees = createReadAddressees(deps)
  const forecasts = createForecasts(deps)
  const sameAgain = createSameAgain(deps)
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
      quota,
      budgetViews,
      senderLines,
      addressees,
      forecasts,
      sameAgain,
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
    openCalls: createOpenCalls(deps),
    quota,
    budgetViews,
    rateLimits,
    senderLines,
    forecasts,
    enrolments: createEnrolments(deps),
    sessions,
    signIns: createSignIns({ ...deps, rateLimits, systemMessages, background, onRefused }),
    linkContact: createLinkContact({ ...deps, audit, systemMessages, background }),
    personWishes: createPersonWishes({ ...deps, audit }),
    background,
    audit,
    sendingRights,
    removePerson,
    erasures: createErasures({ ...deps, subscriptions, removePerson, audit }),
    changeSettings: createChangeSettings({ ...deps, audit }),
    stats: createStats({ redis: deps.redis, shards: shardNames(deps.shards), now: () => deps.clock.now() }),
    subscriptions,
    views: createViews(deps),
    webhookSecrets,
    stopping,
  }
}
