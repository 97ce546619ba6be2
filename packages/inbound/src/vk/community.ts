/** The community's side of VK: who it is, where its events are read, and what it writes to those the fleet does not know. */
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { refusesToken } from '@courier-fleet/channels/vk/refused-token'
import { API, APIError } from 'vk-io'

export interface PollServer {
  readonly server: string
  readonly key: string
  readonly ts: string
}

export interface Self {
  readonly id: number
  /** in links, `vk.me/<name>` */
  readonly name: string
}

export interface Community {
  /** @throws Error in one line when VK refuses the token; else what went wrong, to be tried again */
  self(): Promise<Self>
  pollServer(groupId: number): Promise<PollServer>
  /** VK folds a second message with the same `randomId`. */
  write(peer: string, text: string, randomId: number): Promise<void>
  /** Tells whoever has pressed a button what became of it; VK waits a minute for that. */
  answerPress(press: { readonly peer: string; readonly chat: string; readonly id: string }, text: string): Promise<void>
  close(): void
}

const callTimeoutMs = 10_000

export function createCommunity({ token, apiBaseUrl }: { token: string; apiBaseUrl: string | undefined }): Community {
  const agent = new (apiBaseUrl?.startsWith('http:') ? HttpAgent : HttpsAgent)({ keepAlive: true })
  const api = new API({
    token,
    // vk-io's type asks for an https agent, node-fetch beneath it takes the one that fits the URL
    agent: agent as HttpsAgent,
    apiTimeout: callTimeoutMs,
    ...(apiBaseUrl ? { apiBaseUrl } : {}),
  })

  return {
    async self() {
      try {
        const { groups } = (await api.call('groups.getById', {})) as {
          groups: readonly { id: number; screen_name?: string }[]
        }
        const [group] = groups
        if (!group) throw new Error('VK_TOKEN is not the token of a community')
        return { id: group.id, name: group.screen_name || `club${group.id}` }
      } catch (error) {
        if (error instanceof APIError && refusesToken(Number(error.code))) throw new RefusedToken()
        throw error
      }
    },
    async pollServer(groupId) {
      return (await api.call('groups.getLongPollServer', { group_id: groupId })) as PollServer
    },
    async write(peer, text, randomId) {
      await api.call('messages.send', { peer_id: peer, message: text, random_id: randomId })
    },
    async answerPress({ peer, chat, id }, text) {
      const event_data = JSON.stringify({ type: 'show_snackbar', text })
      await api.call('messages.sendMessageEventAnswer', { event_id: id, user_id: peer, peer_id: chat, event_data })
    },
    close: () => agent.destroy(),
  }
}

export class RefusedToken extends Error {
  constructor() {
    super('VK refuses the token in VK_TOKEN')
  }
}
