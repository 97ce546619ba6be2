/** Documents of the community: https://dev.vk.com/api/upload/document-in-profile. Their bytes are hashed, and not kept. */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SentFile } from '../stand-in.ts'
import type { World } from '../world.ts'
import { type Params, readBody } from './read-params.ts'
import { replyJson } from './reply-json.ts'
import { VkError } from './vk-error.ts'

export interface Documents {
  /** docs.getWallUploadServer. @throws VkError 100 */
  server(params: Params): { readonly upload_url: string }
  /** What is posted to the address that server() gave. */
  receive(request: IncomingMessage, token: string, response: ServerResponse): Promise<void>
  /** docs.save. @throws VkError 100, 105 */
  save(params: Params): unknown
  /** What `attachment` of a message names. @throws VkError 100 */
  in(params: Params): readonly SentFile[]
}

/** 20 MB of a file, and what a form adds */
const maxUploadBytes = 21 * 1024 * 1024
const maxAttachments = 10

export function createDocuments(world: World, groupId: number, url: string): Documents {
  const servers = new Set<string>()
  const uploaded = new Map<string, SentFile>()
  const documents = new Map<string, SentFile>()

  return {
    server(params) {
      if (params.get('group_id') !== String(groupId)) throw new VkError(100, 'group_id is invalid')
      const token = randomBytes(12).toString('hex')
      servers.add(token)
      return { upload_url: `${url}/${token}` }
    },
    async receive(request, token, response) {
      if (!servers.delete(token)) return void response.writeHead(404).end()
      const body = await readBody(request, maxUploadBytes)
      if (world.takeFault('vk', 'upload-lost')) return void response.destroy()
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const file = (await new Response(new Uint8Array(body), { headers }).formData()).get('file')
      if (!(file instanceof File)) return replyJson(response, { error: 'no file' })
      const bytes = Buffer.from(await file.arrayBuffer())
      const name = `${token}|${randomBytes(6).toString('hex')}`
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      uploaded.set(name, { name: file.name, size: bytes.length, sha256 })
      replyJson(response, { file: name })
    },
    save(params) {
      const file = uploaded.get(params.get('file') ?? '')
      if (!file) throw new VkError(100, 'file is invalid')
      const refused = world.takeFault('vk', 'refuse-file')
      if (refused) throw new VkError(Number(refused.code ?? 105))
      const title = params.get('title') ?? file.name
      const id = world.uploads.length + 1
      const document = { ...file, name: title }
      documents.set(`doc-${groupId}_${id}`, document)
      world.uploads.push({ channel: 'vk', ...document })
      return {
        type: 'doc',
        doc: { id, owner_id: -groupId, title, size: file.size, ext: title.split('.').at(-1) ?? '' },
      }
    },
    in(params) {
      const names = params.get('attachment')?.split(',') ?? []
      if (names.length > maxAttachments) throw new VkError(100, 'attachment: too many')
      return names.map((name) => {
        const document = documents.get(name)
        if (!document) throw new VkError(100, 'attachment is invalid')
        return document
      })
    },
  }
}
