/**
 * The users of a Redis that is not the fleet's alone, or not on its machine alone: each process may do what it does, with its own keys.
 * `node scripts/redis-users.mjs` writes .data/redis-users.acl for docker-compose.yml, from the passwords in .env.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** of messages and their shards: written by the scripts that all three call */
const ofMessages =
  'history record secret audience delivery pieces receipts reasons evidence tried presence by-voice steps merge confirmed in-time versions confirm-of due retention expiry held held-rules laid-by barred channels waiting stats work sent reminders watched dirty'
const ofPeople =
  'people contacts stop wishes person-ids contact-channels contact-of group groups members cohort cohorts cohort-groups role topic topics topic-members removed-people former-name'
/** who is online, and what waits for that */
const ofPresence = 'waiting-online online'
const ofCallers =
  'api-key api-keys quota same limit calls stored senders inbound-addresses enrolment enrolment-of applications sign-in session sessions browser audit erasures erasure-lease idempotency upload about event events channel-pause template templates budget import imports import-people'
const ofAccounts = 'pause turns slots file-reference provider-id unread'
const ofFleet = 'fleet process processes targets stats-hour durable take-overs'
/** who is told of changes, and what they were sent */
const ofSubscriptions =
  'subscription subscribed subscriptions-of deliveries subscription-lease subscription-due subscriptions-due subscription-again subscription-views subscription-sending'
/** one-click addresses of mail: made by couriers, read by the queue */
const ofMail = 'one-click-secret'
/** of those for whom others are called: made by the queue */
const ofWebhooks = 'webhook-secrets'

const commands =
  '-@all +@read +@write +@connection +@pubsub +@transaction +eval +evalsha +time -@dangerous +info +cluster|info +cluster|slots +cluster|nodes'

/** @type {Record<string, { writes: string, reads?: string, channels: string, more?: string }>} */
const users = {
  queue: {
    writes: `${ofMessages} ${ofPeople} ${ofPresence} ${ofCallers} ${ofFleet} ${ofMail} ${ofSubscriptions} ${ofWebhooks} breaker open-breakers ready settings diary asked provider-id unread`,
    reads: 'figures alarms pause watcher happened',
    channels: 'change due-head work-of settings-changed marked subscription-changed',
  },
  courier: {
    writes: `${ofMessages} ${ofPresence} ${ofAccounts} ${ofFleet} ${ofMail} contacts diary asked figures breaker open-breakers recheck senders budget`,
    reads: `people wishes contact-channels channel-pause settings ${ofWebhooks}`,
    channels: 'change due-head work-of settings-changed marked __keyevent@',
  },
  notifier: {
    writes: `${ofMessages} ${ofFleet} ${ofSubscriptions} senders about upload audit breaker figures`,
    reads:
      'people contacts contact-channels person-ids group groups members cohort cohorts cohort-groups topic topics topic-members former-name api-key settings channel-pause',
    channels: 'change due-head work-of settings-changed marked subscription-changed',
  },
  timekeeper: {
    writes: `${ofMessages} ${ofFleet} upload senders about alarms watcher told happened figures`,
    reads: 'people role pause channel-pause settings budget',
    channels: 'change due-head work-of settings-changed marked',
    // what packages/store/src/redis-settings.ts says is set again where somebody has set it otherwise
    more: '+config|get +config|set',
  },
}

/** of the nodes among themselves, of Sentinels, and of who joins nodes into a cluster: no key, no data */
const betweenNodes =
  '-@all +ping +info +role +psync +replconf +replicaof +slaveof +multi +exec +publish +subscribe +config|rewrite +client|setname +client|kill +script|kill +cluster'

/** A kind of key stands alone, or before `:` and what it is of. */
const patterns = (prefix, kinds) => kinds.split(' ').flatMap((kind) => [`${prefix}${kind}`, `${prefix}${kind}:*`])

/**
 * The lines of an ACL file.
 * @param {Record<'queue' | 'courier' | 'notifier' | 'timekeeper', string>} passwords
 */
export function redisUsers(passwords) {
  return Object.entries(users).map(([name, { writes, reads, channels, more }]) => {
    const digest = createHash('sha256').update(passwords[name]).digest('hex')
    const keys = [...patterns('~', writes), ...(reads ? patterns('%R~', reads) : [])]
    const heard = channels.split(' ').map((channel) => `&${channel}*`)
    return ['user', name, 'on', `#${digest}`, ...keys, ...heard, commands, ...(more ? [more] : [])].join(' ')
  })
}

/** The line of the nodes' own user. @param {string} password */
export function nodesUser(password) {
  return `user nodes on #${createHash('sha256').update(password).digest('hex')} allchannels ${betweenNodes}`
}

/** @returns of each user the variable in .env and its password. @throws Error that says which is missing */
function passwordsIn(env) {
  return Object.fromEntries(Object.keys(users).map((name) => [name, passwordOf(env, name)]))
}

function passwordOf(env, name) {
  const variable = `REDIS_${name.toUpperCase()}_PASSWORD`
  const password = env[variable] ?? ''
  if (!/^[\w-]{16,}$/.test(password))
    throw new Error(`${variable} must be 16 or more letters, digits, - or _ (openssl rand -hex 16), in .env`)
  return password
}

function write() {
  const root = join(import.meta.dirname, '..')
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
  const file = join(root, '.data/redis-users.acl')
  mkdirSync(join(root, '.data'), { recursive: true })
  // whoever has no name may only ask whether Redis lives
  const lines = ['user default on nopass resetkeys resetchannels -@all +ping', ...redisUsers(passwordsIn(process.env))]
  // only where there are nodes that speak to each other
  if (process.env.REDIS_NODES_PASSWORD) lines.push(nodesUser(passwordOf(process.env, 'nodes')))
  // read by the user that Redis runs as in its container; it holds digests only
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  console.log(`Redis's users stand in ${file}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    write()
  } catch (error) {
    console.error(`redis-users: ${error.message}`)
    process.exitCode = 1
  }
}
