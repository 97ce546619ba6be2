/** Files that go with messages: taken, kept as long as a message needs them, and read by their links. */
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type FileView, type MessageFile, maxFileBytes, Problem } from '@courier-fleet/api-types'
import type { Clock, Log } from '@courier-fleet/process'
import { oneClickSecret, type Redis } from '@courier-fleet/store'
import { type Audit, byCaller } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import type { Allowances } from '../limits/allowances.ts'
import type { Rules } from '../limits/rules.ts'
import { findFile, freeBytes, readStored, receiveFile, type StoredFile, unusedMs, useFile } from './file-folder.ts'
import { endOfLink, type FileLink, linkOf, wholeSecond } from './file-link.ts'
import { cleanName } from './file-name.ts'
import type { FileRules } from './file-rules.ts'
import { takenTypes, typeOfFile } from './file-type.ts'
import { removeFilesOf, sweepFiles } from './remove-files.ts'

export interface Files {
  /**
   * Before the body is read. @param bytes as the call says
   * @throws Problem 413 `too-large` · 429 `too-many-files` · 503 `no-files` `files-full`
   */
  admit(bytes: number, by: Caller): Promise<void>
  /** @throws Problem 413 `too-large` · 422 `empty-file` `unsupported-file` */
  upload(body: Readable, name: string, by: Caller): Promise<FileView>
  /**
   * Files of a message, with their links; none is kept any longer by that.
   * @param endsMs when it could last be sent. @throws Problem 422 `unknown-file` · 503 `no-files`
   */
  of(ids: readonly string[], endsMs: number, by: Caller): Promise<MessageFile[]>
  /** They are kept as long as their links say. @param person for whom alone the message is. @throws Problem 422 `unknown-file` */
  keep(files: readonly MessageFile[], person: string | undefined): Promise<void>
  /** What a link leads to: `unknown` where it is not ours, `gone` where its time is over. The stream is to be read or destroyed. */
  follow(link: FileLink): Promise<{ file: StoredFile; bytes: Readable } | 'unknown' | 'gone'>
  /** Takes away what they uploaded, and what was for them alone. @returns how many */
  eraseOf(person: string): Promise<number>
  start(): void
  stop(): void
}

interface FilesDeps {
  readonly redis: Redis
  readonly rules: Rules
  readonly clock: Clock
  readonly allowances: Pick<Allowances, 'storeFile'>
  readonly audit: Audit
  readonly log: Log
}

const sweepMs = 3_600_000
const retryAfterSeconds = 3_600

export function createFiles(deps: FilesDeps): Files {
  const { rules, redis, clock, log } = deps
  let timer: NodeJS.Timeout | undefined

  function open(): FileRules & { readonly publicUrl: string } {
    const { files, publicUrl } = rules
    if (files && publicUrl !== undefined) return { ...files, publicUrl }
    throw new Problem(
      503,
      'no-files',
      'files cannot be sent here: FILES_DIR or PUBLIC_URL, where their links lead, is not set',
    )
  }

  const sweep = (dir: string) =>
    sweepFiles(dir, clock.now()).then(
      (removed) => removed > 0 && log.info({ removed }, 'files that no message needs any more were removed'),
      (error: unknown) => log.error({ err: error }, 'could not tidy up the folder of files; trying again in an hour'),
    )

  return {
    async admit(bytes, by) {
      requireSize(bytes)
      await requireRoom(open(), bytes)
      await deps.allowances.storeFile(by, bytes)
    },
    upload: (body, name, by) => upload(deps, open().dir, { body, name, by }),

    async of(ids, endsMs, by) {
      const { dir, publicUrl, keptMs } = open()
      const secret = await oneClickSecret(redis)
      const untilMs = wholeSecond(endsMs + keptMs)
      const until = new Date(untilMs).toISOString()
      return Promise.all(
        ids.map(async (id) => {
          const { name, type, size } = await findOwn(dir, id, by)
          return { id, name, type, size, until, link: linkOf({ publicUrl, secret }, id, untilMs) }
        }),
      )
    },

    async keep(files, person) {
      const { dir } = open()
      for (const { id, until } of files)
        if (!(await useFile(dir, id, { untilMs: Date.parse(until), person }))) throw unknownFile(id)
    },

    async follow(link) {
      const endMs = endOfLink(await oneClickSecret(redis), link)
      if (endMs === undefined) return 'unknown'
      if (endMs <= clock.now() || !rules.files) return 'gone'
      return (await readStored(rules.files.dir, link.id)) ?? 'gone'
    },

    eraseOf: async (person) => (rules.files ? removeFilesOf(rules.files.dir, person) : 0),

    start() {
      const { dir } = rules.files ?? {}
      if (dir === undefined) return
      void sweep(dir)
      timer = setInterval(() => sweep(dir), sweepMs).unref()
    },
    stop: () => clearInterval(timer),
  }
}

function requireSize(bytes: number): void {
  if (bytes <= maxFileBytes) return
  throw new Problem(
    413,
    'too-large',
    `a file may have ${maxFileBytes / 1_048_576} MB; make it smaller, or send a link to it`,
  )
}

async function requireRoom({ dir, freeBytes: wanted }: FileRules, bytes: number): Promise<void> {
  if (wanted === undefined || (await freeBytes(dir)) - bytes >= wanted) return
  const detail = 'the disk for files is nearly full; messages without files go on'
  throw new Problem(503, 'files-full', detail, undefined, retryAfterSeconds)
}

interface Upload {
  readonly body: Readable
  readonly name: string
  readonly by: Caller
}

async function upload({ clock, audit }: FilesDeps, dir: string, { body, name, by }: Upload): Promise<FileView> {
  const id = randomBytes(9).toString('base64url')
  const incoming = await receiveFile(dir, id, body, maxFileBytes)
  try {
    requireSize(incoming.size)
    if (incoming.size === 0) throw new Problem(422, 'empty-file', 'there is nothing in this file')
    const found = await typeOfFile(incoming.path, name)
    if (!found) {
      const detail = `by its content this is none of the files that are taken: ${takenTypes}`
      throw new Problem(422, 'unsupported-file', detail)
    }
    const { type, extensions } = found
    const file = { id, name: cleanName(name, extensions), type, size: incoming.size, of: by.owner, atMs: clock.now() }
    await incoming.keep(file)
    await audit.write({ action: 'file.uploaded', ...byCaller(by), detail: `${file.name}, ${file.size} bytes, ${id}` })
    const until = new Date(file.atMs + unusedMs).toISOString()
    return { id, name: file.name, type, size: file.size, until }
  } catch (error) {
    await incoming.discard()
    throw error
  }
}

/** Another's is as good as none: nobody is told that it is there. */
async function findOwn(dir: string, id: string, by: Caller): Promise<StoredFile> {
  const file = await findFile(dir, id)
  if (file?.of !== by.owner) throw unknownFile(id)
  return file
}

const unknownFile = (id: string) =>
  new Problem(
    422,
    'unknown-file',
    `you have no file ${id}, or it is not kept any more: upload it (POST /v1/files)`,
    'files',
  )
