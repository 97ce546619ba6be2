/** Restores a backup into an empty Redis, on which no process of the fleet is yet. */
import { createDirectory } from '@courier-fleet/directory'
import { connectNode, joinFleet, keys, type RedisNode } from '@courier-fleet/store'
import { BackupError } from './backup-error.ts'
import { loadFile } from './load.ts'
import { addressIn, openData } from './place.ts'
import { presumeAttempted } from './presume.ts'
import { readHeader } from './snapshot-file.ts'

export interface RestoreOptions {
  /** Whoever may have been sent to since is sent to again, on every channel. */
  readonly sendAgain: boolean
}

export interface Restored {
  /** as of when the data are, Unix ms */
  readonly takenMs: number
  /** by channel that folds no resends: people of whom it is not known whether they were sent to since, and will be said to be unknown */
  readonly unknown: Readonly<Record<string, number>>
}

/**
 * @param url of a user that may do everything
 * @throws BackupError; Redis may have the data then, and is to be emptied before it is tried again
 */
export async function restoreBackup(url: string, file: string, { sendAgain }: RestoreOptions): Promise<Restored> {
  const place = addressIn(url)
  if (place.kind === 'sentinel') throw new BackupError(besideSentinels)
  const { size, takenMs } = await readHeader(file)
  const asking = await openData(place)
  const address = asking.socket.localAddress as string
  asking.close()
  const redis = connectNode(url, { name: 'restore' })
  try {
    await checkEmpty(redis)
    await loadFile(redis, { file, size, address })
    if ((await redis.exists(keys.fleet)) === 0) throw new BackupError(`${file} is a backup, but of no fleet`)
    const shards = await joinFleet(redis).catch((error: Error) => {
      throw new BackupError(error.message)
    })
    // its country is of what is imported, and nothing is
    const directory = createDirectory({ redis, country: 'RU' })
    const unknown = sendAgain ? [] : await presumeAttempted({ redis, shards, directory })
    return { takenMs, unknown: Object.fromEntries(unknown) }
  } finally {
    redis.disconnect()
  }
}

/** They would make another the master while this one is being given the data. */
const besideSentinels =
  'Sentinels would take the Redis for a replica while it is being given the data: stop them, and name their master itself (redis://…)'

async function checkEmpty(redis: RedisNode): Promise<void> {
  const [keyspace, replication] = await Promise.all([redis.info('keyspace'), redis.info('replication')])
  if (!/^role:master\r?$/m.test(replication)) throw new BackupError('that Redis is a replica: name its master')
  if (/^db\d+:/m.test(keyspace))
    throw new BackupError('that Redis holds data already: stop the fleet, and name an empty one')
}
