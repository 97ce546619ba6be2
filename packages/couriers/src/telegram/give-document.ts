/**
 * Gives Telegram a file as a document of the bot, in parts: https://core.telegram.org/api/files#uploading-files. Whoever it is sent to then
 * has it by its id, its hash and a reference that Telegram lets expire.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { MessageFile } from '@courier-fleet/api-types'
import type { TelegramConnection } from '@courier-fleet/gramjs'
import { type Deadline, startDeadline } from '@courier-fleet/process'
import bigInt from 'big-integer'
import { Api } from 'telegram'
import type { Give } from '../courier.ts'
import { insteadOf } from '../with-files.ts'
import { outcomeOf } from './outcome.ts'

type Request = TelegramConnection['request']

/** the largest that Telegram takes */
const partBytes = 524_288
/** from here on parts are saved by another call, and no checksum is given */
const bigBytes = 10 * 1_048_576
/** within the time that there is for a try */
const giveMs = 25_000

export function giveDocument(request: Request): Give {
  return async (file, bytes, signal) => {
    const deadline = startDeadline(giveMs, signal)
    try {
      const saved = await saveParts(request, file, bytes, deadline)
      const answer = await request(uploadOf(file, saved), deadline)
      const reference = referenceIn(answer)
      return reference === undefined
        ? { kind: 'failed', why: 'Telegram did not say what it calls the document' }
        : { kind: 'given', reference }
    } catch (error) {
      return insteadOf(outcomeOf(error, () => 'account'))
    } finally {
      deadline.end()
    }
  }
}

async function saveParts(
  request: Request,
  { name }: MessageFile,
  bytes: Buffer,
  deadline: Deadline,
): Promise<Api.TypeInputFile> {
  const id = bigInt(randomBytes(7).toString('hex'), 16)
  const parts = Math.ceil(bytes.length / partBytes)
  const isBig = bytes.length > bigBytes
  for (let part = 0; part < parts; part += 1) {
    const own = { fileId: id, filePart: part, bytes: bytes.subarray(part * partBytes, (part + 1) * partBytes) }
    const call = isBig
      ? new Api.upload.SaveBigFilePart({ ...own, fileTotalParts: parts })
      : new Api.upload.SaveFilePart(own)
    if ((await request(call, deadline)) !== true) throw new Error('a part of the file was not saved')
  }
  const md5Checksum = createHash('md5').update(bytes).digest('hex')
  return isBig ? new Api.InputFileBig({ id, parts, name }) : new Api.InputFile({ id, parts, name, md5Checksum })
}

/** Not in a chat: it is there to be sent. An image stays a file, with its name and its bytes. */
const uploadOf = ({ name, type }: MessageFile, file: Api.TypeInputFile) =>
  new Api.messages.UploadMedia({
    peer: new Api.InputPeerEmpty(),
    media: new Api.InputMediaUploadedDocument({
      file,
      forceFile: true,
      mimeType: type,
      attributes: [new Api.DocumentAttributeFilename({ fileName: name })],
    }),
  })

function referenceIn(answer: unknown): string | undefined {
  const document = answer instanceof Api.MessageMediaDocument ? answer.document : undefined
  if (!(document instanceof Api.Document)) return undefined
  return `${document.id} ${document.accessHash} ${document.fileReference.toString('hex')}`
}

/** @param reference as it was given */
export function mediaOf(reference: string): Api.InputMediaDocument {
  const [id = '0', accessHash = '0', fileReference = ''] = reference.split(' ')
  return new Api.InputMediaDocument({
    id: new Api.InputDocument({
      id: bigInt(id),
      accessHash: bigInt(accessHash),
      fileReference: Buffer.from(fileReference, 'hex'),
    }),
  })
}
