/** Joining and leaving topics by a text, on any channel where people write. */
import type { TopicView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Language, languageOf } from '@courier-fleet/words'
import { isProblem } from './api-problems.ts'
import { type Candidate, findOne } from './find-audience.ts'
import type { Command } from './read-command.ts'
import type { PersonalText, Response } from './text-handler.ts'
import type { TopicWording } from './topic-wording.ts'

type TopicCommand = Extract<Command, { kind: 'topic' }>

/** As the person reads it, and found by its name in the other language, too. */
export function candidateOf({ id, name }: TopicView, language: Language): Candidate {
  return { kind: 'topic', id, name: name[language], alias: name[language === 'ru' ? 'en' : 'ru'] }
}

/** To exactly the topic that is meant, and to none when that is not certain. May be repeated: to join twice is to be in it. */
export async function respondToTopic(
  { who, person, answerKey, dailyKey }: PersonalText,
  { joins, name }: TopicCommand,
  wording: TopicWording,
): Promise<Response> {
  const language = languageOf(who.person?.language ?? '')
  const { topics } = await person.topics()
  if (name === '') return { text: listOf(topics, joins, wording, language), key: answerKey }
  const candidates = topics.map((topic) => candidateOf(topic, language))
  const found = findOne(name, candidates)
  if (found.kind === 'unknown') return { text: wording.noTopic(name, found.nearest), key: dailyKey }
  if (found.kind === 'ambiguous') return { text: wording.whichTopic(name, found.candidates), key: dailyKey }
  return { text: await change(person, found.candidate, joins, wording), key: answerKey }
}

async function change(person: Client, topic: Candidate, joins: boolean, wording: TopicWording): Promise<string> {
  try {
    if (joins) await person.joinTopic(topic.id)
    else await person.leaveTopic(topic.id)
    return joins ? wording.joined(topic) : wording.left(topic)
  } catch (error) {
    if (isProblem(error, 'topic-closed')) return wording.closed(topic)
    // removed since it was found
    if (isProblem(error, 'unknown-topic')) return wording.noTopic(topic.name, [])
    throw error
  }
}

function listOf(topics: readonly TopicView[], joins: boolean, wording: TopicWording, language: Language): string {
  const wanted = topics.filter(({ joined, open }) => (joins ? open && !joined : joined))
  const candidates = wanted.map((topic) => candidateOf(topic, language))
  return joins ? wording.mayJoin(candidates) : wording.mayLeave(candidates)
}
