import type { MemberList, PutOutcome, TopicInput, TopicMembership, TopicView } from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** What people join and leave by themselves; operators edit it, and may do so for others. */
export function topicCalls(http: Http) {
  const member = (topic: string, person: string) => path('topics', topic, 'members', person)
  return {
    topics: () => http.call<{ topics: TopicView[] }>('GET', '/topics'),
    topic: (id: string) => http.call<TopicView>('GET', path('topics', id)),
    putTopic: (id: string, topic: TopicInput) => http.call<PutOutcome>('PUT', path('topics', id), { body: topic }),
    deleteTopic: (id: string) => http.call<void>('DELETE', path('topics', id)),
    topicMembers: (topic: string) => http.call<MemberList>('GET', path('topics', topic, 'members')),
    /** @param person another, for operators */
    joinTopic: (topic: string, person = 'me') => http.call<TopicMembership>('PUT', member(topic, person)),
    leaveTopic: (topic: string, person = 'me') => http.call<TopicMembership>('DELETE', member(topic, person)),
  }
}
