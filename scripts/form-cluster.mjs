/**
 * `form-cluster.mjs host:port …`, in a container of docker-compose.yml: joins these nodes into a cluster, the first half of them its masters. Those that
 * form one already stay as they are.
 */
import { lookup } from 'node:dns/promises'
import { formCluster } from './redis-cluster.mjs'

/** as Redis has it unless `cluster-port` says otherwise */
const busPortAbove = 10_000

const password = process.env.REDIS_NODES_PASSWORD
if (!password) fail('REDIS_NODES_PASSWORD is missing in .env')
const given = process.argv.slice(2)
if (given.length < 6 || given.length % 2 > 0) fail('name an even number of nodes, six at least: host:port …')
try {
  const places = await Promise.all(given.map(placeOf))
  await formCluster(places, places.length / 2, { username: 'nodes', password })
  console.log(`Redis: a cluster of ${places.length / 2} masters and as many replicas`)
} catch (error) {
  fail(error.message)
}

/** Nodes are told of each other by addresses, not by names. */
async function placeOf(name) {
  const [, host, port, busPort] = /^(.+?):(\d+)(?:@(\d+))?$/.exec(name) ?? fail(`${name} is not host:port`)
  const { address } = await lookup(host, 4)
  return { host: address, port: Number(port), busPort: Number(busPort ?? Number(port) + busPortAbove) }
}

function fail(text) {
  console.error(`form-cluster: ${text}`)
  process.exit(1)
}
