/** Fields of forms, with bounds and help as the API document has them (`document:fields/…`). */
import { useId } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';

import { m } from '#messages';

import styles from './ui.module.css';

/** What the document says of a field. */
export interface FieldRule {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly help: string;
  readonly required: boolean;
}

/** What is wrong with a text by the rule of its field; null where nothing is. */
export function problemOf(rule: FieldRule, text: string): string | null {
  if (text === '') return rule.required ? m.ui_needed() : null;
  if (rule.minLength !== undefined && text.length < rule.minLength)
    return m.ui_too_short({ least: rule.minLength });
  if (rule.maxLength !== undefined && text.length > rule.maxLength)
    return m.ui_too_long({ most: rule.maxLength });
  if (rule.pattern !== undefined && !new RegExp(rule.pattern, 'u').test(text)) return m.ui_not_like_this();
  return null;
}

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly problem?: string | null;
}

type TextProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
    readonly value: string;
    readonly onText: (text: string) => void;
  };

function About({ id, help, problem }: Pick<FieldProps, 'help' | 'problem'> & { readonly id: string }) {
  return (
    <>
      {help !== undefined && (
        <span id={`${id}-help`} className={styles.help}>
          {help}
        </span>
      )}
      {problem != null && (
        <span id={`${id}-problem`} className={styles.problem}>
          {problem}
        </span>
      )}
    </>
  );
}

function describedBy(
  id: string,
  { help, problem }: Pick<FieldProps, 'help' | 'problem'>,
): string | undefined {
  const ids = [help === undefined ? '' : `${id}-help`, problem == null ? '' : `${id}-problem`].filter(
    Boolean,
  );
  return ids.length === 0 ? undefined : ids.join(' ');
}

/** A field for a line of text. */
export function TextField({ label, help, problem = null, value, onText, ...rest }: TextProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        className={styles.input}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={describedBy(id, { help, problem })}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <About id={id} help={help} problem={problem} />
    </div>
  );
}

/** A field for a text of many lines. */
export function TextArea({
  label,
  help,
  problem = null,
  value,
  onText,
  rows,
}: FieldProps & { readonly value: string; readonly onText: (text: string) => void; readonly rows: number }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={styles.input}
        rows={rows}
        spellCheck={false}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={describedBy(id, { help, problem })}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <About id={id} help={help} problem={problem} />
    </div>
  );
}

/** A choice of one of several. */
export function SelectField({
  label,
  help,
  value,
  options,
  onText,
}: FieldProps & {
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onText: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.input}
        value={value}
        aria-describedby={describedBy(id, { help })}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      <About id={id} help={help} />
    </div>
  );
}

/** A choice of yes or no. */
export function CheckField({
  label,
  checked,
  onCheck,
}: {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
