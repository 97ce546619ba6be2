import type { Endpoints } from '@courier-fleet/channels'
import { silentLog } from '@courier-fleet/process'
import { createChatLog } from '../../src/chat-log.ts'
import { createControl } from '../../src/control/index.ts'
import type { Accepted } from '../../src/stand-in.ts'
import { World } from '../../src/world.ts'

const endpoints: Partial<Endpoints> = {
  telegram: { host: 'h', port: 1, apiId: 1, apiHash: 'h', botToken: 't', publicKey: 'k', fingerprint: '1' },
  vk: { host: 'h', port: 3, token: 't', groupId: 1 },
  sms: {
    host: 'h',
    port: 2,
    systemId: 's',
    password: 'p',
    number: '3377',
    sendsmsUrl: 'http://h/cgi-bin/sendsms',
    second: { port: 4, sendsmsUrl: 'http://h2/cgi-bin/sendsms' },
  },
}

export function createFixture() {
  const world = new World()
  world.chats.vk = createChatLog(world, 'vk')
  world.chats.sms = createChatLog(world, 'sms')
  const control = createControl({ world, endpoints, log: silentLog })
  return { world, endpoints, control }
}

export type Fixture = ReturnType<typeof createFixture>

export function accepted(i: number, at = 1_800_000_000_000 + i): Accepted {
  return { channel: 'vk', address: String(i), text: `Письмо ${i}\n"с кавычками"`, key: '1', at, providerId: String(i) }
}
