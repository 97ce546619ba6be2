/** What people join and leave by themselves: a button for each. */
import type { TopicView } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import type { Action } from '../store/chat.ts'
import type { PersonalExchange } from './exchange.ts'

const maxPerPage = 8

/** Those one may join, and those one is in. */
export async function showTopics(exchange: PersonalExchange, page = 0): Promise<void> {
  const { words, language, fleet } = exchange
  const topics = (await fleet.topics()).topics.filter(({ open, joined }) => open || joined)
  if (topics.length === 0) return void (await exchange.show({ text: words.noTopics }))
  const pages = Math.ceil(topics.length / maxPerPage)
  const shown = Math.min(Math.max(page, 0), pages - 1)
  const joined = topics.filter((topic) => topic.joined).map(({ name }) => name[language])
  const { buttons } = words
  const turning = [
    ...(shown > 0 ? [{ label: buttons.earlier, action: { do: 'topics' as const, page: shown - 1 } }] : []),
    ...(shown < pages - 1 ? [{ label: buttons.further, action: { do: 'topics' as const, page: shown + 1 } }] : []),
  ]
  await exchange.show({
    text: words.topics(joined, shown + 1, pages),
    rows: [
      ...topics.slice(shown * maxPerPage, (shown + 1) * maxPerPage).map((topic) => [buttonOf(topic, exchange, shown)]),
      ...(turning.length > 0 ? [turning] : []),
    ],
  })
}

/** It says what is to be done, not that it is to change: a press that is handled once more does nothing else. */
function buttonOf({ id, name, joined }: TopicView, { words, language }: PersonalExchange, page: number) {
  const label = joined ? words.buttons.chosen(name[language]) : name[language]
  return { label, action: { do: 'topic' as const, id, joins: !joined, page } }
}

export async function changeTopic(
  exchange: PersonalExchange,
  { id, joins, page }: Extract<Action, { do: 'topic' }>,
): Promise<void> {
  const { fleet, words } = exchange
  try {
    if (joins) await fleet.joinTopic(id)
    else await fleet.leaveTopic(id)
  } catch (error) {
    // closed or removed since it was shown: said, and shown as it is now
    if (!(error instanceof ApiError) || !/^(topic-closed|unknown-topic)$/.test(error.problem.code)) throw error
    await exchange.notice(words.refused(error.problem.code))
  }
  await showTopics(exchange, page)
}
