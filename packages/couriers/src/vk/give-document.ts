/**
 * Gives VK a file as a document of the community, which goes to as many people as there are: https://dev.vk.com/api/upload/document-in-profile.
 * One that is uploaded for messages (docs.getMessagesUploadServer) is of the one person it was uploaded for.
 */
import type { MessageFile } from '@courier-fleet/api-types'
import type { Give, Given, Pacer } from '../courier.ts'
import { insteadOf } from '../with-files.ts'
import { isObject, type VkApi } from './api-call.ts'

interface GiveDeps {
  readonly call: VkApi['call']
  readonly pacer: Pacer
}

type Refusal = Exclude<Given, { kind: 'given' }>

/** What VK says, or what has come of it instead. */
type Said = { readonly response: Record<string, unknown> } | { readonly instead: Refusal }

export function giveDocument(deps: GiveDeps): Give {
  return async (file, bytes, signal) => {
    const server = await serverFor(deps, signal)
    if ('instead' in server) return server.instead
    const uploaded = await post(server.url, file, bytes, signal)
    if (uploaded === undefined) return failed('VK did not take what was uploaded')
    const saved = await ask(deps, 'docs.save', { file: uploaded, title: file.name }, signal)
    if ('instead' in saved) return saved.instead
    const reference = referenceIn(saved.response.doc)
    return reference === undefined ? failed('VK did not say what it calls the document') : { kind: 'given', reference }
  }
}

async function serverFor(deps: GiveDeps, signal: AbortSignal): Promise<{ url: string } | { instead: Refusal }> {
  const community = await ask(deps, 'groups.getById', {}, signal)
  if ('instead' in community) return community
  const groups: unknown = community.response.groups
  const group: unknown = Array.isArray(groups) ? groups[0] : undefined
  const id = isObject(group) ? group.id : undefined
  if (typeof id !== 'number') return { instead: failed('VK did not say which community this is') }
  const server = await ask(deps, 'docs.getWallUploadServer', { group_id: id }, signal)
  if ('instead' in server) return server
  const url = server.response.upload_url
  return typeof url === 'string' ? { url } : { instead: failed('VK did not say where to upload') }
}

async function ask(
  { call, pacer }: GiveDeps,
  method: string,
  params: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<Said> {
  await pacer.take(1, 'normal', signal)
  const answer = await call(method, params)
  if (answer.kind === 'answered')
    return isObject(answer.response)
      ? { response: answer.response }
      : { instead: failed(`${method} answered something unreadable`) }
  return { instead: insteadOf(answer.outcome) }
}

/** @returns what docs.save asks for; undefined where there is none */
async function post(url: string, { name, type }: MessageFile, bytes: Buffer, signal: AbortSignal) {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) as never], { type }), name)
  const response = await fetch(url, { method: 'POST', body, signal, redirect: 'error' })
  const said: unknown = await response.json()
  return isObject(said) && typeof said.file === 'string' ? said.file : undefined
}

/** As `attachment` of a message has it. */
function referenceIn(doc: unknown): string | undefined {
  const { id, owner_id: owner, access_key: key } = isObject(doc) ? doc : {}
  if (typeof id !== 'number' || typeof owner !== 'number') return undefined
  return `doc${owner}_${id}${typeof key === 'string' ? `_${key}` : ''}`
}

const failed = (why: string): Refusal => ({ kind: 'failed', why })
