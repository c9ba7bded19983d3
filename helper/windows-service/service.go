//go:build windows

package main

import (
	"time"

	"golang.org/x/sys/windows/svc"
)

// idleAfter is how long the service stays without clients, if there is nothing left to undo. The next one starts it again.
const idleAfter = time.Minute

type service struct{}

// Execute runs until Windows or nobody wants the service.
func (service) Execute(_ []string, requests <-chan svc.ChangeRequest, status chan<- svc.Status) (bool, uint32) {
	status <- svc.Status{State: svc.StartPending}
	listener, err := listen(pipeName, pipeAccess)
	if err != nil {
		return true, 1
	}
	clients := newServer(undo)
	ended := make(chan struct{})
	go func() {
		clients.accept(listener)
		close(ended)
	}()
	// What a process left that was killed together with the service. Clients may connect meanwhile.
	go clients.recoverAtStart()
	status <- svc.Status{State: svc.Running, Accepts: svc.AcceptStop | svc.AcceptShutdown}
	idle := time.NewTicker(idleAfter)
	defer idle.Stop()
	for {
		select {
		case request := <-requests:
			switch request.Cmd {
			case svc.Interrogate:
				status <- request.CurrentStatus
				continue
			case svc.Stop, svc.Shutdown:
			default:
				continue
			}
		case <-idle.C:
			if !clients.isIdle(idleAfter) || !clients.isTidy() {
				continue
			}
		case <-ended:
		}
		break
	}
	status <- svc.Status{State: svc.StopPending, WaitHint: uint32(endTimeout / time.Millisecond)}
	listener.close()
	<-ended
	clients.endAll()
	return false, 0
}
