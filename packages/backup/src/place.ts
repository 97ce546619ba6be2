/** Where the data are that a URL means: of one Redis, or of the master that Sentinels name. */
import { type Endpoint, parseRedisUrl, type RedisAddress, rightUrl } from '@courier-fleet/store'
import { BackupError } from './backup-error.ts'
import { type Connection, type Login, openConnection } from './connection.ts'

const ofCluster =
  'a backup is of one moment of one Redis, and a cluster is several: copy the append-only files of its masters instead (docs/backup.md)'

/** @throws BackupError where it is no URL, or that of a cluster */
export function addressIn(url: string): RedisAddress {
  const address = parseRedisUrl(url)
  if (!address) throw new BackupError(`Redis is named by ${rightUrl}`)
  if (address.kind === 'cluster') throw new BackupError(ofCluster)
  return address
}

/** @throws BackupError when it cannot be reached, lets nobody in, or is a node of a cluster */
export async function openData(address: RedisAddress): Promise<Connection> {
  const endpoint = address.kind === 'sentinel' ? await findMaster(address) : (address.endpoints[0] as Endpoint)
  const connection = await openConnection(endpoint, address)
  // refused where there is no cluster, and where this user may not ask
  const answer = await connection.ask('CLUSTER', 'INFO').catch(() => '')
  if (!answer.startsWith('$')) return connection
  connection.close()
  throw new BackupError(`${placeOf(endpoint)} is a node of a cluster: ${ofCluster}`)
}

const placeOf = ({ host, port }: Endpoint) => `${host}:${port}`

/** Whom most Sentinels name, and who says so itself: one that has heard nothing of a fail-over yet names whoever was it before. */
async function findMaster(address: RedisAddress): Promise<Endpoint> {
  const { endpoints, isEncrypted, masterName = '' } = address
  const whys: string[] = []
  const named = new Map<string, { readonly endpoint: Endpoint; readonly by: number }>()
  const heard = async (place: string, ask: () => Promise<void>) => {
    await ask().catch((error: Error) => whys.push(`${place}: ${error.message}`))
  }
  for (const sentinel of endpoints)
    await heard(placeOf(sentinel), async () => {
      const endpoint = await askSentinel(sentinel, { isEncrypted }, masterName)
      named.set(placeOf(endpoint), { endpoint, by: (named.get(placeOf(endpoint))?.by ?? 0) + 1 })
    })
  for (const [place, { endpoint }] of [...named].sort(([, one], [, other]) => other.by - one.by)) {
    let isMaster = false
    await heard(place, async () => {
      isMaster = await askRole(endpoint, address)
    })
    if (isMaster) return endpoint
    whys.push(`${place} is no master now`)
  }
  throw new BackupError(`no master is found by the Sentinels, try again in a moment: ${whys.join('; ')}`)
}

/** Sentinels are asked without a password, as the fleet asks them. They answer with host and port, each a length and a line. */
async function askSentinel(sentinel: Endpoint, login: Login, masterName: string): Promise<Endpoint> {
  const connection = await openConnection(sentinel, login)
  try {
    const answer = await connection.ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)
    if (answer !== '*2') throw new BackupError(`it knows no master "${masterName}"`)
    await connection.line()
    const host = await connection.line()
    await connection.line()
    return { host, port: Number(await connection.line()) }
  } finally {
    connection.close()
  }
}

async function askRole(endpoint: Endpoint, login: Login): Promise<boolean> {
  const connection = await openConnection(endpoint, login)
  try {
    await connection.ask('ROLE')
    await connection.line()
    return (await connection.line()) === 'master'
  } finally {
    connection.close()
  }
}
