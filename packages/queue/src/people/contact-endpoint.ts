/** A person's URL: what may be one, and the secret that messages to it are signed with, told once. */
import { http } from '@courier-fleet/channels'
import type { Directory } from '@courier-fleet/directory'
import type { Redis } from '@courier-fleet/store'
import { endpointOf, forgetBreaker, ofPerson, type WebhookSecrets } from '@courier-fleet/webhooks'
import { requireSealingKey, requireUrl, type Webhooks } from '../subscriptions/webhooks.ts'

interface EndpointDeps {
  readonly redis: Redis
  readonly directory: Pick<Directory, 'contactsOf'>
  readonly webhooks: Webhooks
  readonly webhookSecrets: WebhookSecrets
}

/**
 * Links it by `link`. Another URL has another owner, perhaps: it gets a secret of its own, and the one before is good for nothing.
 * The same URL again is called again, should it have been switched off.
 * @returns the secret, where one was made. @throws Problem 422 `refused-url` · 503 `no-fleet-secret`
 */
export async function linkEndpoint(
  { redis, directory, webhooks, webhookSecrets }: EndpointDeps,
  person: string,
  url: string,
  link: () => Promise<void>,
): Promise<string | undefined> {
  requireSealingKey(webhooks)
  requireUrl(webhooks, url, 'address')
  const [before] = await directory.contactsOf(http.name, [person])
  await link()
  const [after] = await directory.contactsOf(http.name, [person])
  const owner = ofPerson(person)
  if (after) await forgetBreaker(redis, endpointOf(owner, after.address))
  if (before && before.address !== after?.address) await webhookSecrets.forget(owner)
  const { valid } = await webhookSecrets.describe(owner)
  return valid === 0 ? webhookSecrets.rotate(owner) : undefined
}
