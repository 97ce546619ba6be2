/**
 * E-mail by SMTP, one message a recipient. Settings:
 *
 * - `MAIL_SMTP_URL` smtp://user:password@host:587 (STARTTLS, required when there is a password) or smtps:// (TLS from the start)
 * - `MAIL_FROM` an address, or `Name <address>` · `MAIL_SUBJECT` stands before every subject, which is the text's first line
 * - `PUBLIC_URL` https: each message offers a one-click address below it (RFC 8058); no such offer when absent
 * - `MAIL_BOUNCE_ADDRESS` and `MAIL_BOUNCE_PORT`: bounces come to addresses made from the one, by SMTP to the other
 * - `MAIL_PER_SECOND` messages a second over all processes, 10, or `off` · `MAIL_CONNECTIONS` of one process, 10
 * - `MAIL_TARGET` sandbox, or real when absent
 */
import type { Courier, CourierDeps } from '../courier.ts'
import { mailConfig } from './config.ts'
import { buildMailCourier } from './courier.ts'
import { productionTiming } from './timing.ts'

/** @throws Error in one line when a setting is wrong */
export function createCourier(env: NodeJS.ProcessEnv, deps: CourierDeps): Courier {
  return buildMailCourier(mailConfig(env), deps, productionTiming)
}
