/** Documents of a bot: uploaded in parts, and sent by id, hash and a reference that expires. Their bytes are hashed, and not kept. */
import { createHash, randomBytes } from 'node:crypto'
import { LineFault, RpcError } from '../rpc.ts'
import type { TlObject } from '../tl/codec.ts'
import { type Document, unixTime } from './bot.ts'
import type { Methods, Service } from './methods.ts'

/** https://core.telegram.org/api/files#uploading-files */
const maxPartBytes = 524_288
const bigBytes = 10 * 1_048_576

interface Stored extends Document {
  readonly accessHash: bigint
  readonly reference: Buffer
}

export interface Documents {
  readonly methods: Methods
  /** What media names. @throws RpcError 400 */
  in(media: TlObject): Document
}

export function createDocuments({ world }: Pick<Service, 'world'>): Documents {
  const uploads = new Map<bigint, Map<number, Buffer>>()
  const documents = new Map<bigint, Stored>()

  function savePart(call: TlObject): true {
    const bytes = call.bytes as Buffer
    if (bytes.length > maxPartBytes) throw new RpcError(400, 'FILE_PART_TOO_BIG')
    const id = call.file_id as bigint
    const parts = uploads.get(id) ?? new Map<number, Buffer>()
    parts.set(call.file_part as number, Buffer.from(bytes))
    uploads.set(id, parts)
    return true
  }

  function upload(call: TlObject): TlObject {
    const media = call.media as TlObject
    if (media._ !== 'inputMediaUploadedDocument') throw new RpcError(400, 'MEDIA_INVALID')
    const file = media.file as TlObject
    const bytes = assembled(file)
    uploads.delete(file.id as bigint)
    if (world.takeFault('telegram', 'upload-lost')) throw new LineFault('cut')
    const refused = world.takeFault('telegram', 'refuse-file')
    if (refused) throw new RpcError(400, refused.code ?? 'MEDIA_INVALID')
    const stored = store(file.name as string, bytes)
    const attributes = media.attributes as TlObject[]
    return { _: 'messageMediaDocument', document: documentOf(stored, media.mime_type as string, attributes) }
  }

  function assembled(file: TlObject): Buffer {
    const parts = uploads.get(file.id as bigint)
    const all = Array.from({ length: file.parts as number }, (_, part) => parts?.get(part))
    if (all.length === 0 || all.includes(undefined)) throw new RpcError(400, 'FILE_PARTS_INVALID')
    const bytes = Buffer.concat(all as Buffer[])
    if (bytes.length > bigBytes !== (file._ === 'inputFileBig')) throw new RpcError(400, 'FILE_PARTS_INVALID')
    const md5 = file.md5_checksum as string | undefined
    if (md5 && md5 !== createHash('md5').update(bytes).digest('hex')) throw new RpcError(400, 'MD5_CHECKSUM_INVALID')
    return bytes
  }

  function store(name: string, bytes: Buffer): Stored {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = { name, size: bytes.length, sha256 }
    const id = BigInt(documents.size + 1)
    const stored = { id, file, accessHash: randomBytes(8).readBigInt64LE(), reference: randomBytes(16) }
    documents.set(id, stored)
    world.uploads.push({ channel: 'telegram', ...file })
    return stored
  }

  return {
    methods: {
      'upload.saveFilePart': savePart,
      'upload.saveBigFilePart': savePart,
      'messages.uploadMedia': upload,
    },
    in(media) {
      const named = media._ === 'inputMediaDocument' ? (media.id as TlObject) : undefined
      const stored = documents.get((named?.id ?? 0n) as bigint)
      if (!named || !stored || named.access_hash !== stored.accessHash) throw new RpcError(400, 'MEDIA_INVALID')
      const isExpired = world.takeFault('telegram', 'reference-expired') !== undefined
      if (isExpired || !stored.reference.equals(named.file_reference as Buffer))
        throw new RpcError(400, 'FILE_REFERENCE_EXPIRED')
      return stored
    },
  }
}

const documentOf = (
  { id, accessHash, reference, file }: Stored,
  mimeType: string,
  attributes: TlObject[],
): TlObject => ({
  _: 'document',
  id,
  access_hash: accessHash,
  file_reference: reference,
  date: unixTime(),
  mime_type: mimeType,
  size: BigInt(file.size),
  dc_id: 2,
  attributes,
})
