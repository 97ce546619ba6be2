import type {
  SettingDifference,
  SettingsChanged,
  SettingsPatchInput,
  SettingsVersions,
  SettingsView,
} from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { settingsUseWords, tuningWarnings } from '@courier-fleet/words'
import { concernLines } from '../concern-lines.ts'
import { defineCommand } from '../define-command.ts'
import type { Look } from '../style.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['get', 'set', 'history', 'restore'] as const

export const settings = defineCommand({
  name: 'settings',
  summary: 'What operators change while the fleet runs: get, set, history, restore',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'what', optional: true },
  ],
  options: {
    version: {
      type: 'string',
      value: 'N',
      about: 'of set and restore: change nothing unless this is the version there is',
    },
    'dry-run': {
      type: 'boolean',
      about: 'of set and restore: say what would change and whom it concerns, and change nothing',
    },
  },
  exits: { 0: 'told; set' },
  async execute({ parameters: [action = 'get', what], values, answer, client, look }) {
    const calls = client()
    const dryRun = values['dry-run'] ?? false
    const now = async () => (values.version === undefined ? (await calls.settings()).version : numberIn(values.version))
    if (action === 'get') {
      const view = await calls.settings()
      answer(view, () => textOf(view, look))
    } else if (action === 'history') {
      const versions = await calls.settingsVersions()
      answer(versions, () => historyOf(versions, look))
    } else if (action === 'set') {
      const patch = patchIn(what)
      const changed = await calls.changeSettings(await now(), patch, { dryRun })
      const against = dryRun ? await warningsOf(calls, changed.changes) : []
      answer(changed, () => changeText(changed, against, dryRun, look))
    } else {
      if (what === undefined)
        throw new UsageError('say which version: settings restore <version>; "fleet settings history" lists them')
      const changed = await calls.restoreSettings(await now(), numberIn(what), { dryRun })
      const against = dryRun ? await warningsOf(calls, changed.changes) : []
      answer(changed, () => changeText(changed, against, dryRun, look))
    }
    return 0
  },
})

function numberIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`a version is a number, not "${text}"`)
}

const example = 'quiet=22:00-08:00, quiet=null, channels.vk.batchSize=500, or JSON such as \'{"interval":"PT10M"}\''

/** `name=value`, the name a path, the value JSON, a word, or hours such as 22:00-08:00; or a whole change as JSON. */
function patchIn(text: string | undefined): SettingsPatchInput {
  if (text === undefined) throw new UsageError(`say what to set: ${example}`)
  if (text.startsWith('{')) {
    const value = jsonIn(text)
    if (typeof value === 'object' && value !== null) return value
    throw new UsageError(`this is no JSON; say what to set: ${example}`)
  }
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`say what to set: ${example}`)
  const [name = '', ...rest] = text.slice(0, at).split('.').reverse()
  const value = valueIn(text.slice(at + 1))
  return rest.reduce<Record<string, unknown>>((inner, outer) => ({ [outer]: inner }), { [name]: value })
}

function valueIn(text: string): unknown {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  if (from && to) return { from, to }
  return jsonIn(text) ?? (text === 'null' ? null : text)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf({ version, settings, differs, use, problem }: SettingsView, look: Look): string {
  const { types, formerTypes: _, ...rest } = settings
  const rows = Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)])
  return [
    `Version ${version}.`,
    table([['setting', 'value'], ...rows]),
    `${types.length} types have rules: fleet types`,
    ...differs.map(({ setting, environment }) => `${setting}: the environment says ${JSON.stringify(environment)}`),
    ...settingsUseWords('en', use, look.moment).map(plain),
    ...(problem === undefined ? [] : [`PROBLEM: ${plain(problem)}`]),
  ].join('\n')
}

const differenceText = ({ setting, before, after }: SettingDifference) =>
  plain(`${setting}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`)

/** What is known against what channels are tuned to. */
async function warningsOf(client: Client, changes: readonly SettingDifference[]): Promise<string[]> {
  const tuned = changes.map(({ setting, after }) => ({ path: setting.split('.'), after }))
  if (!tuned.some(({ path: [first] }) => first === 'channels')) return []
  const { channels } = await client.channels()
  return channels.flatMap((view) => {
    const own = tuned.filter(({ path: [first, channel] }) => first === 'channels' && channel === view.channel)
    const wanted = Object.fromEntries(own.map(({ path: [, , name], after }) => [name, after]))
    return tuningWarnings('en', view, wanted)
  })
}

function changeText(
  { version, changes, concerns }: SettingsChanged,
  against: readonly string[],
  dryRun: boolean,
  look: Look,
): string {
  if (changes.length === 0) return `Nothing to change: it is so already, version ${version}.`
  const head = dryRun
    ? `Nothing was changed, this is version ${version} still. It would become:`
    : `Version ${version}:`
  const notes = against.map((warning) => `Note: ${warning}`)
  return [head, ...changes.map(differenceText), ...notes, ...concernLines(concerns, look)].join('\n')
}

function historyOf({ versions }: SettingsVersions, look: Look): string {
  if (versions.length === 0) return 'Nobody has set anything: all is as the environment says.'
  return versions
    .map(({ version, at, by, changes }) =>
      [`${version}  ${look.moment(at)}  ${by}`, ...(changes ?? []).map((each) => `    ${differenceText(each)}`)].join(
        '\n',
      ),
    )
    .join('\n')
}
