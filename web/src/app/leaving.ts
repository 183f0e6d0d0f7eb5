/** Leaving a page with something that would be lost asks first: another page of the app, a reload, the closing of the tab. */
import { useBlocker } from '@tanstack/react-router';

export function useAskBeforeLeaving(active: boolean, question: string): void {
  useBlocker({
    disabled: !active,
    enableBeforeUnload: active,
    shouldBlockFn: () => !window.confirm(question),
  });
}
