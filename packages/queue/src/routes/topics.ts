/** Topics: read by everyone, edited by operators, joined and left by people themselves. */
import {
  memberList,
  putOutcome,
  type TopicView,
  topicBody,
  topicList,
  topicMembership,
  topicView,
} from '@courier-fleet/api-types'
import { hasRole, mayWriteToTopic, type Topic } from '@courier-fleet/directory'
import { byCaller } from '../access/audit.ts'
import { personFor } from '../access/auth.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { topicParams, topicPersonParams } from './parameters.ts'

const tags = ['topics']

export function topicRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addEditing(app, deps)
  addOwnMembership(app, deps)
  addMembershipOfOthers(app, deps)
}

/** How big it is concerns those who write to it. */
function viewOf({ size, ...topic }: Topic & { size: number }, joined: boolean, caller: Caller): TopicView {
  const mayWrite = mayWriteToTopic(topic, caller)
  return { ...topic, joined, mayWrite, ...(mayWrite || hasRole(caller, 'operator') ? { size } : {}) }
}

function addReading(app: App, { directory }: RouteDeps): void {
  app.get(
    '/topics',
    {
      schema: {
        tags,
        operationId: 'listTopics',
        summary: 'What people may join, by id; and whether you are in it, and may write to it',
        description:
          'Topics are joined and left by people themselves. Who is in one is told to operators only; its size also to those who may write to it.',
        response: answers({ 200: topicList }),
      },
    },
    async ({ principal: caller }) => {
      const [topics, joined] = await Promise.all([directory.listTopics(), directory.topicsOf(caller.owner)])
      return { topics: topics.map((topic) => viewOf(topic, joined.includes(topic.id), caller)) }
    },
  )

  app.get(
    '/topics/:id',
    {
      config: { problems: ['404 unknown-topic'] },
      schema: {
        tags,
        operationId: 'readTopic',
        summary: 'A topic',
        description: 'As in the list, of one topic.',
        params: topicParams,
        response: answers({ 200: topicView }),
      },
    },
    async ({ principal: caller, params }) => {
      const topic = (await directory.getTopic(params.id)) ?? unknown('topic', params.id)
      return viewOf(topic, (await directory.topicsOf(caller.owner)).includes(params.id), caller)
    },
  )

  app.get(
    '/topics/:id/members',
    {
      config: { problems: ['404 unknown-topic'] },
      schema: {
        tags,
        operationId: 'listTopicMembers',
        summary: 'The ids of its people; nobody else is told who is in it',
        description: 'All of them at once, by id.',
        params: topicParams,
        response: answers({ 200: memberList }),
      },
    },
    async ({ params }) => {
      if (!(await directory.getTopic(params.id))) unknown('topic', params.id)
      return { people: await directory.peopleInTopic(params.id) }
    },
  )
}

/** as the audit shows it */
const factsOf = ({ name, senders, open }: Omit<Topic, 'id'>) =>
  `${name.ru} / ${name.en}; ${open ? 'open' : 'closed'}; senders: ${[...senders].sort().join(' ') || 'nobody'}`

function addEditing(app: App, { directory, sendingRights, audit }: RouteDeps): void {
  app.put(
    '/topics/:id',
    {
      config: { problems: ['422 bad-field', '422 unknown-person'] },
      schema: {
        tags,
        operationId: 'putTopic',
        summary: 'Create or change a topic; whoever has joined it stays',
        description:
          'Name, senders and whether people may join by themselves, as a whole. Only who stands in `senders` may write to it, whatever their role.',
        params: topicParams,
        body: topicBody,
        response: answers({ 200: putOutcome, 201: putOutcome }),
      },
    },
    async ({ params, body, principal: caller }, reply) => {
      const before = await directory.getTopic(params.id)
      const outcome = await sendingRights.changeSenders(params.id, { before, after: body }, () =>
        directory.putTopic({ id: params.id, ...body }),
      )
      if (outcome !== 'unchanged') {
        const about = { ...byCaller(caller), detail: `topic:${params.id}` }
        await audit.write({
          action: 'topic.changed',
          ...about,
          before: before && factsOf(before),
          after: factsOf(body),
        })
      }
      reply.code(outcome === 'created' ? 201 : 200)
      return { id: params.id, outcome }
    },
  )

  app.delete(
    '/topics/:id',
    {
      config: { problems: ['404 unknown-topic'] },
      schema: {
        tags,
        operationId: 'removeTopic',
        summary: 'Remove a topic',
        description: 'What was sent to it stays; what is scheduled for it is held when it falls due.',
        params: topicParams,
        response: answers({ 204: done }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      const before = await directory.getTopic(params.id)
      const remove = () => directory.deleteTopic(params.id)
      if (!(await sendingRights.changeSenders(params.id, { before, after: undefined }, remove)))
        unknown('topic', params.id)
      const about = { ...byCaller(caller), detail: `topic:${params.id}` }
      await audit.write({ action: 'topic.removed', ...about, before: before && factsOf(before) })
      return reply.code(204).send(null)
    },
  )
}

/** What is new is noted: joining or leaving once more changes nothing. */
async function change(
  { directory, audit }: Pick<RouteDeps, 'directory' | 'audit'>,
  caller: Caller,
  { topic, person, joins }: { topic: string; person: string; joins: boolean | 'invited' },
) {
  const isNew = joins
    ? await directory.joinTopic(topic, person, { isInvited: joins === 'invited' })
    : await directory.leaveTopic(topic, person)
  const action = joins ? 'topic.joined' : 'topic.left'
  if (isNew) await audit.write({ action, ...byCaller(caller), person, detail: `topic:${topic}` })
  return { topic, person, joined: joins !== false }
}

function addOwnMembership(app: App, deps: RouteDeps): void {
  const schema = { tags, params: topicParams, response: answers({ 200: topicMembership }) }
  app.put(
    '/topics/:id/members/me',
    {
      config: { problems: ['403 topic-closed', '404 unknown-topic', '404 unknown-person'] },
      schema: {
        ...schema,
        operationId: 'joinTopic',
        summary: 'Join a topic that is open; fine when in it already',
        description: 'For whoever is calling. A closed topic is refused with 403 `topic-closed`.',
      },
    },
    ({ params, principal: caller }) => change(deps, caller, { topic: params.id, person: caller.owner, joins: true }),
  )
  app.delete(
    '/topics/:id/members/me',
    {
      config: { problems: ['404 unknown-topic', '404 unknown-person'] },
      schema: {
        ...schema,
        operationId: 'leaveTopic',
        summary: 'Leave a topic; fine when not in it',
        description: 'For whoever is calling; one may always leave.',
      },
    },
    ({ params, principal: caller }) => change(deps, caller, { topic: params.id, person: caller.owner, joins: false }),
  )
}

function addMembershipOfOthers(app: App, deps: RouteDeps): void {
  const schema = { tags, params: topicPersonParams, response: answers({ 200: topicMembership }) }
  app.put(
    '/topics/:id/members/:person',
    {
      config: { problems: ['404 unknown-topic', '404 unknown-person'] },
      schema: {
        ...schema,
        operationId: 'putTopicMember',
        summary: 'Put somebody into a topic, open or not, as they have asked for it',
        description: 'For a person of no higher role than your own. It is noted in the audit.',
      },
    },
    async ({ params, principal: caller }) => {
      const person = await personFor(deps.directory, caller, params.person)
      return change(deps, caller, { topic: params.id, person: person.id, joins: 'invited' })
    },
  )
  app.delete(
    '/topics/:id/members/:person',
    {
      config: { problems: ['404 unknown-topic', '404 unknown-person'] },
      schema: {
        ...schema,
        operationId: 'removeTopicMember',
        summary: 'Take somebody out of a topic; fine when not in it',
        description: 'For a person of no higher role than your own. It is noted in the audit.',
      },
    },
    async ({ params, principal: caller }) => {
      const person = await personFor(deps.directory, caller, params.person)
      return change(deps, caller, { topic: params.id, person: person.id, joins: false })
    },
  )
}
