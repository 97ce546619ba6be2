import type { TemplateInput, TemplateView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import type { Look } from '../style.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { personalOf, personalOptions } from './message-options.ts'

const actions = ['show', 'versions', 'put', 'archive'] as const

export const templates = defineCommand({
  name: 'templates',
  summary: 'Stored texts: list, show, versions, put, archive',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id', optional: true },
  ],
  options: {
    ru: { type: 'string', value: 'NAME', about: 'of put: what it is called in Russian' },
    en: { type: 'string', value: 'NAME', about: 'of put: what it is called in English' },
    text: {
      type: 'string',
      value: 'TEXT',
      about: 'of put: what people are written, such as "{{name}}, room {{room}}"',
    },
    texts: personalOptions.texts,
    language: personalOptions.language,
    ask: {
      type: 'string',
      multiple: true,
      value: 'FIELD',
      about: 'of put: a field of the text that the sender is asked for; may be given several times',
    },
    type: { type: 'string', value: 'TYPE', about: 'of put: what messages with it are about' },
    version: {
      type: 'string',
      value: 'N',
      about: 'of put and archive: change nothing unless this is the version there is',
    },
    all: { type: 'boolean', about: 'of the list: archived ones, too' },
  },
  exits: { 0: 'done' },
  async execute({ parameters: [action, id], values, answer, client, look }) {
    if (action === undefined) {
      const list = await client().templates(values.all ? { archived: 'true' } : {})
      answer(list, () => listOf(list.templates))
      return 0
    }
    if (id === undefined) throw new UsageError(`say which: ${action} <id>; "fleet templates" lists them`)
    if (action === 'show') {
      const found = await client().template(id)
      answer(found, () => textOf(found, look))
    } else if (action === 'versions') {
      const { versions } = await client().templateVersions(id)
      answer({ versions }, () => versions.map((each) => textOf(each, look)).join('\n\n'))
    } else if (action === 'put') {
      const template = templateIn(values)
      const calls = client()
      const put = await calls.putTemplate(id, template, await versionOf(calls, id, values.version))
      answer(put, () => `${id}: ${put.outcome}, version ${put.version}.`)
    } else {
      const calls = client()
      const version = values.version === undefined ? (await calls.template(id)).version : numberIn(values.version)
      await calls.archiveTemplate(id, version)
      answer({ id }, () => `Archived ${id}: nothing more is sent with it.`)
    }
    return 0
  },
})

/** Of one that is there already. */
async function versionOf(calls: Client, id: string, said: string | undefined): Promise<number | undefined> {
  if (said !== undefined) return numberIn(said)
  const { templates: all } = await calls.templates({ archived: 'true' })
  return all.find((template) => template.id === id)?.version
}

function numberIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`a version is a number, not "${text}"`)
}

interface Values {
  readonly ru?: string | undefined
  readonly en?: string | undefined
  readonly text?: string | undefined
  readonly texts?: string | undefined
  readonly language?: string | undefined
  readonly ask?: string[] | undefined
  readonly type?: string | undefined
}

/** @throws UsageError */
function templateIn({ ru, en, text, texts, language, ask = [], type }: Values): TemplateInput {
  if (ru === undefined || en === undefined)
    throw new UsageError('say what it is called: --ru "Аудитория экзамена" --en "Exam room"')
  const { text: said } = personalOf(text, { texts })
  if (said === undefined) throw new UsageError('say what people are written: --text "{{name}}, room {{room}}"')
  return {
    name: { ru, en },
    text: said,
    ...(language === undefined ? {} : { language }),
    fields: ask.map((name) => ({ name })),
    ...(type === undefined ? {} : { type }),
  }
}

const asked = ({ fields }: TemplateView) => fields.map(({ name }) => name).join(', ') || '–'
const state = ({ archived }: TemplateView) => (archived ? 'archived' : 'in use')

function listOf(list: readonly TemplateView[]): string {
  if (list.length === 0) return 'No templates.'
  const rows = list.map((each) => [
    each.id,
    each.version,
    plain(each.name.en),
    plain(each.name.ru),
    asked(each),
    each.type ?? '–',
    state(each),
  ])
  return table([['template', 'version', 'English', 'Russian', 'asks for', 'type', 'state'], ...rows])
}

function textOf(template: TemplateView, { moment }: Look): string {
  const { id, version, at, by, text, language } = template
  const texts = typeof text === 'string' ? [text] : Object.entries(text).map(([key, each]) => `${key}: ${each}`)
  return [
    plain(`${id} version ${version}, ${moment(at)}, ${by}, ${state(template)}; asks for ${asked(template)}`),
    ...(language === undefined ? [] : [`for people of other languages: ${language}`]),
    ...texts.map((each) => `  ${plain(each)}`),
  ].join('\n')
}
