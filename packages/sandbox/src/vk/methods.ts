/** The API methods that a community token can call here, each taking the parameters as VK gets them: all of them text. */
import type { World } from '../world.ts'
import type { Documents } from './documents.ts'
import type { Keyboards } from './keyboards.ts'
import type { LongPoll } from './long-poll.ts'
import { createMessagesSend } from './messages-send.ts'
import type { Params } from './read-params.ts'
import { createSentMessages } from './sent-messages.ts'
import { VkError } from './vk-error.ts'

export type Method = (params: Params) => unknown

export interface MethodsDeps {
  readonly world: World
  readonly groupId: number
  readonly longPoll: LongPoll
  readonly keyboards: Keyboards
  readonly documents: Documents
}

/** of a community that has not chosen another */
export const screenNameOf = (groupId: number) => `club${groupId}`

export function createMethods({
  world,
  groupId,
  longPoll,
  keyboards,
  documents,
}: MethodsDeps): ReadonlyMap<string, Method> {
  const group = {
    id: groupId,
    name: 'Sandbox community',
    screen_name: screenNameOf(groupId),
    is_closed: 0,
    type: 'group',
    photo_50: '',
    photo_100: '',
    photo_200: '',
  }
  const sent = createSentMessages(world, keyboards, documents)
  return new Map<string, Method>([
    ['messages.send', createMessagesSend(world, keyboards, sent, documents)],
    ['messages.edit', (params) => sent.edit(params)],
    ['messages.delete', (params) => sent.delete(params)],
    ['messages.sendMessageEventAnswer', (params) => keyboards.answer(params)],
    [
      'messages.isMessagesFromGroupAllowed',
      (params) => ({ is_allowed: world.phone('vk', params.get('user_id') ?? '').state === 'ok' ? 1 : 0 }),
    ],
    ['messages.markAsRead', () => 1],
    ['messages.setActivity', () => 1],
    ['docs.getWallUploadServer', (params) => documents.server(params)],
    ['docs.save', (params) => documents.save(params)],
    ['groups.getById', () => ({ groups: [group], profiles: [] })],
    ['groups.getTokenPermissions', () => ({ mask: 4096, permissions: [{ name: 'messages', setting: 4096 }] })],
    ['groups.getLongPollServer', (params) => longPollServer(params)],
    ['users.get', (params) => users(params)],
  ])

  function longPollServer(params: Params): unknown {
    if (params.get('group_id') !== String(groupId)) throw new VkError(100, 'group_id is invalid')
    return longPoll.server()
  }

  function users(params: Params): unknown {
    const ids = (params.get('user_ids') ?? '').split(',').filter((id) => /^[1-9]\d{0,15}$/.test(id))
    if (ids.length > 1000) throw new VkError(100, 'user_ids should be less or equal to 1000 items')
    return ids.flatMap((id) => {
      const { state } = world.phone('vk', id)
      const person = { id: Number(id), first_name: 'Person', last_name: id, can_access_closed: true, is_closed: false }
      if (state === 'unknown') return []
      return [state === 'deactivated' ? { ...person, first_name: 'DELETED', deactivated: 'deleted' } : person]
    })
  }
}
