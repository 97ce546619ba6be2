import { useMoreSettingsWords } from '../../texts/more-settings.ts'
import { FieldError } from '../field.tsx'
import type { TypedPrice, TypedSettings } from './typed-settings.ts'

type Tariffs = TypedSettings['tariffs']

interface Props {
  readonly tariffs: Tariffs
  readonly error: string | undefined
  readonly onChange: (tariffs: Tariffs) => void
}

const first: NonNullable<Tariffs> = { currency: 'RUB', prices: [{ prefix: '+', perPart: '' }] }

/** What a part of an SMS costs, by how the number begins; or that nobody has said. */
export function PricesField({ tariffs, error, onChange }: Props) {
  const said = useMoreSettingsWords()
  return (
    <fieldset class="choices">
      <legend>{said.prices}</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={tariffs !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? first : null)}
        />
        {said.setPrices}
      </label>
      {tariffs ? <Prices tariffs={tariffs} onChange={onChange} /> : <p class="hint">{said.noPrices}</p>}
      <FieldError text={error} />
    </fieldset>
  )
}

function Prices({ tariffs, onChange }: { tariffs: NonNullable<Tariffs>; onChange: Props['onChange'] }) {
  const said = useMoreSettingsWords()
  const { currency, prices } = tariffs
  const change = (index: number, changes: Partial<TypedPrice>) =>
    onChange({ currency, prices: prices.map((price, at) => (at === index ? { ...price, ...changes } : price)) })
  return (
    <>
      <label class="choice">
        {said.currency}
        <input
          autocomplete="off"
          maxLength={3}
          value={currency}
          onInput={(event) => onChange({ prices, currency: event.currentTarget.value })}
        />
      </label>
      <p class="hint">
        {said.currencyHint} {said.prefixHint}
      </p>
      {prices.map(({ prefix, perPart }, index) => (
        <div key={index} class="rule-row">
          <input
            inputMode="tel"
            autocomplete="off"
            aria-label={said.prefix}
            value={prefix}
            onInput={(event) => change(index, { prefix: event.currentTarget.value })}
          />
          <input
            inputMode="decimal"
            autocomplete="off"
            aria-label={said.perPart}
            value={perPart}
            onInput={(event) => change(index, { perPart: event.currentTarget.value })}
          />
          <button type="button" onClick={() => onChange({ currency, prices: prices.filter((_, at) => at !== index) })}>
            {said.remove(prefix)}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange({ currency, prices: [...prices, { prefix: '+', perPart: '' }] })}>
        {said.add}
      </button>
    </>
  )
}
