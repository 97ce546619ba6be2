/** What is said of topics, in the language of the person. */
import type { Language } from '@courier-fleet/words'
import { type Choose, cut, idsOf, namesOf } from './choose.ts'
import type { Candidate } from './find-audience.ts'

export interface TopicWording {
  readonly joined: (topic: Candidate) => string
  readonly left: (topic: Candidate) => string
  /** nobody joins it by themselves */
  readonly closed: (topic: Candidate) => string
  readonly noTopic: (name: string, nearest: readonly Candidate[]) => string
  readonly whichTopic: (name: string, topics: readonly Candidate[]) => string
  readonly mayJoin: (topics: readonly Candidate[]) => string
  readonly mayLeave: (topics: readonly Candidate[]) => string
}

/** With all of them, by name or else by what is as good to write, their id; then with fewer and fewer, and how many more there are. */
function fewer(topics: readonly Candidate[], say: (names: string, first: string) => string): [string, ...string[]] {
  const [first] = topics as [Candidate]
  const texts = topics.flatMap((_, left) => {
    const shown = topics.slice(0, topics.length - left)
    const more = left > 0 ? ` +${left}` : ''
    return [say(namesOf(shown) + more, first.name), say(shown.map(({ id }) => id).join(', ') + more, first.id)]
  })
  return texts as [string, ...string[]]
}

const russian = (choose: Choose): TopicWording => ({
  joined: ({ id, name }) =>
    choose(
      `Вы подписаны на «${name}». Отписаться: ОТПИСКА ${name}`,
      `Вы подписаны на «${name}». Отписаться: ОТПИСКА ${id}`,
      `Вы подписаны на «${cut(name, 28, '…')}». Отписаться: ОТПИСКА`,
    ),
  left: ({ id, name }) =>
    choose(
      `Вы не подписаны на «${name}». Подписаться: ПОДПИСКА ${name}`,
      `Вы не подписаны на «${name}». Подписаться: ПОДПИСКА ${id}`,
      `Вы не подписаны на «${cut(name, 23, '…')}». Подписаться: ПОДПИСКА`,
    ),
  closed: ({ name }) => choose(`На «${name}» подписывает деканат.`, `На «${cut(name, 40, '…')}» подписывает деканат.`),
  noTopic: (name, nearest) => {
    const missing = `Нет темы «${cut(name, 20, '…')}».`
    if (nearest.length === 0) return choose(`${missing} Все темы: ПОДПИСКА`)
    return choose(
      `${missing} Похоже: ${namesOf(nearest)}. Все темы: ПОДПИСКА`,
      `${missing} Похоже: ${namesOf(nearest.slice(0, 1))}. Все: ПОДПИСКА`,
      `${missing} Все темы: ПОДПИСКА`,
    )
  },
  whichTopic: (name, topics) =>
    choose(
      `«${cut(name, 14, '…')}» — это что? ${idsOf(topics, 'или')}`,
      `«${cut(name, 14, '…')}» — это что? ${idsOf(topics.slice(0, 2), 'или')}`,
      `Тем «${cut(name, 20, '…')}» несколько. Подпишитесь на своей странице.`,
    ),
  mayJoin: (topics) =>
    topics.length === 0
      ? choose('Подписаться сейчас не на что.')
      : choose(
          ...fewer(topics, (names, first) => `Темы: ${names}. Подписаться: ПОДПИСКА ${first}`),
          'Подпишитесь на темы на своей странице.',
        ),
  mayLeave: (topics) =>
    topics.length === 0
      ? choose('Вы ни на что не подписаны. Не писать сюда совсем: СТОП')
      : choose(
          ...fewer(topics, (names, first) => `Вы подписаны: ${names}. Отписаться: ОТПИСКА ${first}. Всё: СТОП`),
          'Отпишитесь на своей странице. Не писать сюда совсем: СТОП',
        ),
})

const english = (choose: Choose): TopicWording => ({
  joined: ({ id, name }) =>
    choose(
      `You are in "${name}". To leave: UNSUBSCRIBE ${name}`,
      `You are in "${name}". To leave: UNSUBSCRIBE ${id}`,
      `You are in "${cut(name, 25, '...')}". To leave: UNSUBSCRIBE`,
    ),
  left: ({ id, name }) =>
    choose(
      `You are not in "${name}". To join: SUBSCRIBE ${name}`,
      `You are not in "${name}". To join: SUBSCRIBE ${id}`,
      `You are not in "${cut(name, 25, '...')}". To join: SUBSCRIBE`,
    ),
  closed: ({ name }) =>
    choose(`The office puts people into "${name}".`, `The office puts people into "${cut(name, 30, '...')}".`),
  noTopic: (name, nearest) => {
    const missing = `There is no topic "${cut(name, 20, '...')}".`
    if (nearest.length === 0) return choose(`${missing} All topics: SUBSCRIBE`)
    return choose(
      `${missing} Similar: ${namesOf(nearest)}. All topics: SUBSCRIBE`,
      `${missing} Similar: ${namesOf(nearest.slice(0, 1))}. All topics: SUBSCRIBE`,
      `${missing} All: SUBSCRIBE`,
    )
  },
  whichTopic: (name, topics) =>
    choose(
      `Which "${cut(name, 14, '...')}"? ${idsOf(topics, 'or')}`,
      `Which "${cut(name, 14, '...')}"? ${idsOf(topics.slice(0, 2), 'or')}`,
      `Several are called "${cut(name, 14, '...')}". Join on your own page.`,
    ),
  mayJoin: (topics) =>
    topics.length === 0
      ? choose('There is nothing to join now.')
      : choose(
          ...fewer(topics, (names, first) => `Topics: ${names}. To join: SUBSCRIBE ${first}`),
          'Join topics on your own page.',
        ),
  mayLeave: (topics) =>
    topics.length === 0
      ? choose('You are in no topic. To get no messages here: STOP')
      : choose(
          ...fewer(
            topics,
            (names, first) => `You are in: ${names}. To leave: UNSUBSCRIBE ${first}. All messages: STOP`,
          ),
          'Leave topics on your own page. To get no messages here: STOP',
        ),
})

/** @param choose where a text must be short; the longest when absent */
export function topicWording(language: Language, choose: Choose = (longest) => longest): TopicWording {
  return language === 'ru' ? russian(choose) : english(choose)
}
