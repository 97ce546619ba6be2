/** Whom a message would reach if it went out now: the same audience and the same contacts, and nothing is sent. */

import {
  type PersonalText,
  Problem,
  type RehearsalBody,
  type RehearsalView,
  rulesIn,
  smsPartsOf,
  unreachableReasons,
} from '@courier-fleet/api-types'
import { channels, filesView, http, senderLineOn } from '@courier-fleet/channels'
import type { Contact, Directory } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import { termsOf } from '@courier-fleet/rules'
import {
  hashOfAudience,
  idsOf,
  type LiveSettings,
  type PackedAudience,
  type Redis,
  rangesKept,
  readProcesses,
  type Templates,
} from '@courier-fleet/store'
import type { ReadAddressees } from '../acceptance/addressees.ts'
import { requirePriced } from '../acceptance/check-ceiling.ts'
import { requireAllowedRecheck } from '../acceptance/check-recheck.ts'
import { requireAllowedRules } from '../acceptance/check-rules.ts'
import { channelsIn, requireInTime, requireTellable } from '../acceptance/check-steps.ts'
import { type AskingWords, tooLongOn } from '../acceptance/fitting-text.ts'
import { requireKnownChannels } from '../acceptance/known-channels.ts'
import { filledFromTemplate } from '../acceptance/message-template.ts'
import type { Addressees } from '../acceptance/named-addressees.ts'
import { requirePresence } from '../acceptance/require-presence.ts'
import type { SenderLines } from '../acceptance/sender-lines.ts'
import { tellingWhose, withStepsOfType } from '../acceptance/steps-of-type.ts'
import { dueOf, endOfSending, expiryOf } from '../acceptance/times.ts'
import { requireForUrls } from '../acceptance/url-addressees.ts'
import { requireInAudience, requireValues, writtenOf } from '../acceptance/written-text.ts'
import type { Caller } from '../access/callers.ts'
import type { Files } from '../files/files.ts'
import type { BudgetViews } from '../limits/budget-views.ts'
import { requireSealingKey, type Webhooks } from '../subscriptions/webhooks.ts'
import { createStepReaches, type StepReaches } from './count-steps.ts'
import { type Forecast, type Forecasts, type PlannedMessage, sampleStep } from './forecast.ts'
import { partsOn } from './paid-count.ts'
import { createRenderings, lengthOf, previewFor, type Renderings } from './renderings.ts'
import { type Reason, type Standing, standingOf, type Terms } from './standing.ts'

type Reach = RehearsalView['channels'][string]

const maxUnreachable = 1000
/** people whose contacts are read in one go: other requests are served in between */
const pageSize = 250

interface RehearseDeps {
  readonly redis: Redis
  readonly shards: number
  readonly templates: Pick<Templates, 'newest' | 'version'>
  readonly directory: Directory
  readonly senderLines: SenderLines
  readonly addressees: ReadAddressees
  readonly forecasts: Pick<Forecasts, 'start'>
  readonly budgetViews: Pick<BudgetViews, 'of'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly clock: Clock
  readonly files: Pick<Files, 'of'>
  readonly webhooks: Webhooks
}

/** @throws Problem 403 · 422 as sending would */
export async function rehearse(deps: RehearseDeps, body: RehearsalBody, by: Caller): Promise<RehearsalView> {
  const settings = deps.settings.current()
  const { types } = settings
  const { body: input, stepsOf } = withStepsOfType(types, await filledFromTemplate(deps.templates, body))
  requireKnownChannels(input.channels)
  requireAllowedRules(types, input, by)
  requireAllowedRecheck(deps.webhooks, deps.settings.current(), input.recheck, by)
  tellingWhose(stepsOf, () => requireTellable(input, settings))
  requirePriced(deps.settings.current(), input.ceiling)
  const written = writtenOf(input, deps.settings.current())
  const planned = tellingWhose(stepsOf, () => plannedOf(input, written, deps.clock.now()))
  const [whom] = await deps.addressees.of([input.to], by)
  if (whom === undefined || whom instanceof Error) throw whom
  if (whom.urls) {
    requireForUrls(input)
    requireSealingKey(deps.webhooks)
  }
  await requirePresence(deps.directory, input, whom.urls !== undefined)
  const { people: everyone, named } = whom.urls ? ofUrls(whom.urls) : await expand(deps, whom, by)
  const people = (await whom.narrow?.(everyone)) ?? everyone
  requireInAudience(written, people)
  await requireValues(deps.directory, written, people)
  const [senderLine] = whom.urls ? [] : await deps.senderLines.of([whom.named], by)
  const files =
    input.files &&
    (await deps.files.of(input.files, endOfSending(planned.dueMs, planned.expiresMs, deps.clock.now()), by))
  const words = input.text === undefined ? undefined : { ...written, senderLine, files, confirm: input.confirm }
  // no rule about people holds for URLs
  const forecast = whom.urls ? undefined : await startForecast(deps, input, { ...planned, files }, words, by)
  // a URL that a message is for is nobody's contact
  const ofStrangers = whom.urls && { needsAgreement: false }
  const termsOn = (channel: string) => ({ ...termsOf(channel, input.type, settings), ...ofStrangers })
  const only = whom.urls ? [http.name] : channelsIn(input)
  const steps = whom.urls || !input.steps ? undefined : createStepReaches(input.steps)
  const renderings = words?.personal && createRenderings(words)
  const counted = { people, forecast, termsOn, only, steps, renderings, areUrls: whom.urls !== undefined }
  const { reaches, reachable, unreachable } = await countReach(deps, counted)
  const names = await deps.directory.namesOf(unreachable.map(({ person }) => person))
  const record = await rangesKept(deps, by.owner)
  return {
    people: people.size,
    overlap: named - everyone.size,
    ...(people === everyone ? {} : { leftOut: everyone.size - people.size }),
    sha256: await hashOfAudience(people),
    channels: Object.fromEntries(reaches),
    reachable,
    ...(forecast ? { plan: forecast.plan(people.size) } : {}),
    ...(steps ? { steps: steps.views() } : {}),
    unreachable: unreachable.map((row, index) => {
      const name = names[index]
      return name === undefined ? row : { ...row, name }
    }),
    ...(record.of > 0 ? { record } : {}),
    senderLines: linesOn([...reaches.keys()], senderLine),
    ...(files ? { files: filesView(files, [...reaches.keys()], words?.personal ? undefined : words) } : {}),
    ...(words === undefined ? {} : { text: await textOf(deps, { input, words, people, reaches, renderings }) }),
  }
}

async function startForecast(
  { forecasts, budgetViews }: RehearseDeps,
  input: RehearsalBody,
  planned: PlannedMessage,
  words: AskingWords | undefined,
  by: Caller,
): Promise<Forecast> {
  const budgets = await budgetViews.of(by, { type: input.type, channels: channelsIn(input) })
  const isPriced = (input.steps ?? input.ceiling) !== undefined || budgets.length > 0
  return forecasts.start({
    ...planned,
    // who comes to a later step nobody knows before
    ...(input.steps ? {} : { foretold: { words } }),
    ...(isPriced ? { priced: { words, budgets } } : {}),
  })
}

const ofUrls = (people: PackedAudience) => ({ people, named: people.size })

/** Each of a message to URLs is its own contact. */
const urlContact: Contact = { address: '', state: 'active' }

const expand = ({ directory }: RehearseDeps, { named, told }: Addressees, by: Caller) =>
  directory.expandCounted(named, by).catch((error: unknown) => {
    throw error instanceof Problem ? (told?.(error) ?? error) : error
  })

/** @throws Problem 422 */
function plannedOf(input: RehearsalBody, written: PersonalText, now: number): PlannedMessage {
  const dueMs = dueOf(input.at, now)
  const { class: cls, text, whenOnline, recheck } = input
  const { personal } = written
  const expiresMs = expiryOf(input, dueMs, now)
  requireInTime(input.steps, dueMs, expiresMs, now)
  return {
    channels: channelsIn(input),
    class: cls,
    rules: rulesIn(input),
    text: text === undefined ? undefined : written.text,
    personal,
    dueMs,
    online: whenOnline !== undefined,
    recheck,
    expiresMs,
  }
}

interface Counted {
  readonly people: PackedAudience
  /** of people, not of URLs */
  readonly forecast: Forecast | undefined
  /** what holds on a channel */
  readonly termsOn: (channel: string) => Terms
  /** these channels; else those that have couriers, and whichever somebody has a contact on */
  readonly only: readonly string[] | undefined
  readonly steps: StepReaches | undefined
  /** of a text that is not the same for everybody */
  readonly renderings: Renderings | undefined
  readonly areUrls: boolean
}

async function countReach(
  { redis, directory }: RehearseDeps,
  { people, forecast, termsOn, only, steps, renderings, areUrls }: Counted,
) {
  const counts = new Map((only ?? (await channelsWithCouriers(redis))).map((channel) => [channel, noStandings()]))
  const missed: { person: string; standings: Record<string, Standing> }[] = []
  let reachable = 0
  const step = sampleStep(people.size)
  for (let from = 0; from < people.size; from += pageSize) {
    const some = idsOf(people, from, from + pageSize)
    const page = areUrls ? some.map(() => ({ [http.name]: urlContact })) : await directory.allContactsOf(some)
    const isAsked = (_any: unknown, index: number) => (from + index) % step === 0
    await forecast?.add(some.filter(isAsked), page.filter(isAsked))
    const readers = renderings ? await directory.findInFull(some) : []
    for (const [index, contacts] of page.entries()) {
      const standings = Object.entries(contacts)
        .filter(([channel]) => !only || only.includes(channel))
        .map(([channel, contact]) => [channel, standingOf(contact, termsOn(channel))] as const)
      for (const [channel, standing] of standings) {
        const count = counts.get(channel) ?? noStandings()
        counts.set(channel, count.set(standing, (count.get(standing) ?? 0) + 1))
      }
      const usable = standings.flatMap(([channel, standing]) => (standing === 'reachable' ? [channel] : []))
      steps?.add(usable)
      renderings?.add(readers[index] ?? { id: some[index] as string }, from + index, usable)
      if (usable.length > 0) reachable += 1
      else if (missed.length < maxUnreachable) {
        missed.push({ person: some[index] as string, standings: Object.fromEntries(standings) })
      }
    }
  }
  const names = [...counts.keys()].sort()
  return {
    reachable,
    reaches: new Map(names.map((channel) => [channel, reachOf(people.size, counts.get(channel))] as const)),
    unreachable: missed.map(({ person, standings }) => ({
      person,
      channels: Object.fromEntries(names.map((channel) => [channel, (standings[channel] ?? 'no-contact') as Reason])),
    })),
  }
}

const noStandings = () => new Map<Standing, number>()

/** Who was not counted on this channel has no contact there. */
function reachOf(people: number, count = noStandings()): Reach {
  const counted = [...count.values()].reduce((sum, each) => sum + each, 0)
  const reasons = Object.fromEntries(unreachableReasons.map((reason) => [reason, count.get(reason) ?? 0]))
  return {
    ...(reasons as Record<Reason, number>),
    reachable: count.get('reachable') ?? 0,
    'no-contact': people - counted,
  }
}

async function channelsWithCouriers(redis: Redis): Promise<string[]> {
  const processes = await readProcesses(redis)
  return processes.flatMap(({ channel }) => (channel === undefined ? [] : [channel]))
}

function linesOn(names: readonly string[], senderLine: AskingWords['senderLine']): Record<string, string> {
  const lines = names.map((channel) => [channel, senderLineOn(channel, { senderLine })] as const)
  return Object.fromEntries(lines.filter(([, line]) => line !== ''))
}

const inParts = channels.filter(({ text }) => text.kind === 'sms-parts')

/** Its length as it was written, and the parts of what goes out; of a text that is not the same for everybody, those of who is sent most. */
function textView(
  words: AskingWords,
  reaches: ReadonlyMap<string, Reach>,
  renderings: Renderings | undefined,
): NonNullable<RehearsalView['text']> {
  const { text } = words
  const [channel] = inParts
  const found = renderings?.view()
  const { encoding, parts } = channel ? partsOn(channel.name, words) : smsPartsOf(text)
  const reachable = inParts.reduce((sum, { name }) => sum + (reaches.get(name)?.reachable ?? 0), 0)
  const tooLong = [...reaches.keys()].filter((name) => tooLongOn(name, words))
  if (found) {
    const { most, calls, parts: total } = found
    const sms = most.parts
      ? { encoding: found.encoding, parts: most.parts.parts, total }
      : { encoding, parts: parts.length, total }
    const called = Object.keys(calls).length > 0 ? { calls } : {}
    return { length: most.length.characters, tooLongOn: tooLong, sms, most, ...called }
  }
  const sms = { encoding, parts: parts.length, total: parts.length * reachable }
  return { length: lengthOf(text), tooLongOn: tooLong, sms }
}

interface Rehearsed {
  readonly input: RehearsalBody
  readonly words: AskingWords
  readonly people: PackedAudience
  readonly reaches: ReadonlyMap<string, Reach>
  readonly renderings: Renderings | undefined
}

async function textOf(
  deps: RehearseDeps,
  { input, words, people, reaches, renderings }: Rehearsed,
): Promise<NonNullable<RehearsalView['text']>> {
  const view = textView(words, reaches, renderings)
  const preview = input.preview ?? view.most?.length.person
  return { ...view, ...(await readPreview(deps, preview, words, people)) }
}

/** Only for one of its people: nobody is told by a rehearsal what is known of others. */
async function readPreview(
  { directory }: RehearseDeps,
  preview: string | undefined,
  words: AskingWords,
  people: PackedAudience,
): Promise<Pick<NonNullable<RehearsalView['text']>, 'preview'>> {
  if (preview === undefined || !idsOf(people, 0, people.size).includes(preview)) return {}
  const [reader] = await directory.findInFull([preview])
  return { preview: previewFor(words, reader ?? { id: preview }) }
}
