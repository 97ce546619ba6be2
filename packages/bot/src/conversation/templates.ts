/** A stored text instead of one that is written: which, and what of it the sender is asked for. */
import type { TemplateView } from '@courier-fleet/api-types'
import type { AskedField } from '../store/chat.ts'
import { askField } from './ask-field.ts'
import { askAudience, preview, unmeant } from './compose.ts'
import type { PersonalExchange } from './exchange.ts'

const maxPerPage = 8
const maxValueLength = 200

export async function showTemplates(exchange: PersonalExchange, page = 0): Promise<void> {
  const { words, language, fleet } = exchange
  const { templates } = await fleet.templates()
  if (templates.length === 0) return void (await exchange.show({ text: words.noTemplates }))
  const pages = Math.ceil(templates.length / maxPerPage)
  const shown = Math.min(Math.max(page, 0), pages - 1)
  const { buttons } = words
  const turn = (label: string, to: number) => ({ label, action: { do: 'templates' as const, page: to } })
  const some = templates.slice(shown * maxPerPage, (shown + 1) * maxPerPage)
  await exchange.show({
    text: words.whichTemplate(shown + 1, pages),
    rows: [
      ...some.map(({ id, name }) => [{ label: name[language], action: { do: 'template' as const, id } }]),
      [
        ...(shown > 0 ? [turn(buttons.earlier, shown - 1)] : []),
        ...(shown < pages - 1 ? [turn(buttons.further, shown + 1)] : []),
        { label: buttons.drop, action: { do: 'drop' as const } },
      ],
    ],
  })
}

export async function chooseTemplate(exchange: PersonalExchange, id: string): Promise<void> {
  const { chat, words, language, fleet } = exchange
  const found = (await fleet.templates()).templates.find((template) => template.id === id)
  if (!found) return exchange.notice(words.refused('unknown-template'))
  const said = { template: { id, version: found.version }, fields: {} }
  chat.draft = { ...unmeant(chat.draft ?? { to: [] }), text: textIn(found, language), said }
  await goOnAsking(
    exchange,
    found.fields.map(({ name, label, example }) => ({
      name,
      label: label?.[language] ?? name,
      ...(example === undefined ? {} : { example }),
    })),
  )
}

function textIn({ text, language = '' }: TemplateView, own: string): string {
  if (typeof text === 'string') return text
  return text[own] ?? text[language] ?? Object.values(text)[0] ?? ''
}

/** One field after the other; then on with what is missing still. */
async function goOnAsking(exchange: PersonalExchange, asked: readonly AskedField[]): Promise<void> {
  if (asked.length > 0) return askField(exchange, asked)
  const { draft } = exchange.chat
  await (draft && draft.to.length > 0 ? preview(exchange) : askAudience(exchange))
}

export async function takeField(
  exchange: PersonalExchange,
  [field, ...others]: readonly AskedField[],
  written: string,
): Promise<void> {
  const { chat, words } = exchange
  const value = written.trim()
  if (!field || !chat.draft) return askAudience(exchange)
  if (value.length > maxValueLength) return exchange.say(words.valueTooLong(maxValueLength))
  const { said = {} } = chat.draft
  chat.draft = { ...unmeant(chat.draft), said: { ...said, fields: { ...said.fields, [field.name]: value } } }
  await goOnAsking(exchange, others)
}
