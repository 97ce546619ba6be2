/** The page's calls of the control API. */
async function call(path, method = 'GET', body = undefined) {
  const json = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, { method, ...json })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response
}

const at = ({ channel, address }, what) => `/phones/${channel}/${encodeURIComponent(address)}/${what}`

export const say = (phone, text) => call(at(phone, 'say'), 'POST', { text })
/** Follows a link of the service to what people write to. */
export const follow = (phone, url) => call(at(phone, 'follow'), 'POST', { url })
export const press = (phone, message, label) => call(at(phone, 'press'), 'POST', { message, label })
/** Its person looks at the chat. */
export const openChat = (phone) => call(at(phone, 'open'), 'POST')
export const setState = ({ channel, address }, state) => call('/phones', 'PUT', [{ channel, address, state }])
/** Says whose phone it is. */
export const name = ({ channel, address, name }) => call('/phones', 'PUT', [{ channel, address, name }])
export const addFault = (fault) => call('/faults', 'POST', fault)
export const fleetNow = async () => (await call('/fleet')).json()
export const killCourier = (channel) => call('/fleet/kill', 'POST', { channel })
export const redisAway = () => call('/fleet/redis-away', 'POST', {})
export const find = async (wanted) => (await call(`/wall?${new URLSearchParams({ find: wanted })}`)).json()

/** @param {{ first(event): void, changes(event): void, connection(isLive: boolean): void }} listener */
export function listen({ first, changes, connection }) {
  const events = new EventSource('/events')
  events.onopen = () => connection(true)
  events.onerror = () => connection(false)
  events.addEventListener('first', ({ data }) => first(JSON.parse(data)))
  events.addEventListener('changes', ({ data }) => changes(JSON.parse(data)))
}
