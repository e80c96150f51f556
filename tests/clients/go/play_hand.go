// Two players play one hand: go run . [HOST:PORT]
//
// Opens a table, gives both players chips and seats, answers each decision from the answer before it, and tells
// what a watcher of the table hears. The contract's package is generated from proto/ by buf, as buf.gen.yaml says.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	croupier "play_hand/gen/croupier/v1"
)

type client struct {
	tables     croupier.TableServiceClient
	seats      croupier.SeatServiceClient
	betting    croupier.BettingServiceClient
	settlement croupier.SettlementServiceClient
}

func main() {
	target := "127.0.0.1:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	// UNAVAILABLE is tried again by the channel itself; a change carries a request_id, so that it is made once.
	connection, err := grpc.NewClient(target,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(retries))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	all := client{
		croupier.NewTableServiceClient(connection), croupier.NewSeatServiceClient(connection),
		croupier.NewBettingServiceClient(connection), croupier.NewSettlementServiceClient(connection),
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := all.run(ctx); err != nil {
		log.Fatal(err)
	}
}

const retries = `{"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 5, "initialBackoff": "0.05s",
	"maxBackoff": "2s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`

func (c client) run(ctx context.Context) error {
	run := strings.ToLower(rand.Text()[:6])
	players := []string{"ann-" + run, "bob-" + run}
	created, err := c.tables.CreateTable(ctx, &croupier.CreateTableRequest{
		RequestId: requestID(), HouseId: "puzzle_pirates", Name: "Example", SeatCount: 2,
		Structure: croupier.BetStructure_BET_STRUCTURE_NO_LIMIT, MinBet: 2,
	})
	if err != nil {
		return err
	}
	table := created.Table
	watching := make(chan error, 1)
	go func() { watching <- c.watch(ctx, table.TableId) }()
	if err := c.seat(ctx, table, players); err != nil {
		return err
	}
	decision, err := c.firstDecision(ctx, table.TableId, players)
	if err != nil {
		return err
	}
	if err := c.play(ctx, table.TableId, decision); err != nil {
		return err
	}
	closing := &croupier.CloseTableRequest{RequestId: requestID(), TableId: table.TableId}
	if _, err := c.tables.CloseTable(ctx, closing); err != nil {
		return err
	}
	if err := <-watching; err != nil {
		return err
	}
	for _, player := range players {
		asked := &croupier.GetBalanceRequest{PlayerId: player, Currency: table.Options.Currency}
		answer, err := c.settlement.GetBalance(ctx, asked)
		if err != nil {
			return err
		}
		fmt.Printf("%s has %d %s in the wallet\n", player, answer.Balance.Available, answer.Balance.Currency)
	}
	return nil
}

// seat gets each player chips for the wallet, a seat, and chips for the table.
func (c client) seat(ctx context.Context, table *croupier.Table, players []string) error {
	for index, player := range players {
		_, err := c.settlement.Deposit(ctx, &croupier.DepositRequest{
			RequestId: requestID(), PlayerId: player, Currency: table.Options.Currency, Amount: 1000,
		})
		if err != nil {
			return err
		}
		_, err = c.seats.ReserveSeat(ctx, &croupier.ReserveSeatRequest{
			RequestId: requestID(), TableId: table.TableId, PlayerId: player, SeatNumber: int32(index + 1),
			Vouched: &croupier.Vouched{HasPass: true},
		})
		if err != nil {
			return err
		}
		_, err = c.seats.BuyIn(ctx, &croupier.BuyInRequest{
			RequestId: requestID(), TableId: table.TableId, PlayerId: player,
			Amount: table.Options.Stakes.MaxBuyIn,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// firstDecision is that of the hand which starts by itself once two players are there.
func (c client) firstDecision(ctx context.Context, tableID string, players []string) (*croupier.Decision, error) {
	for {
		for _, player := range players {
			asked := &croupier.GetLegalActionsRequest{TableId: tableID, PlayerId: player}
			answer, err := c.betting.GetLegalActions(ctx, asked)
			if err != nil {
				return nil, err
			}
			if answer.Decision.GetPlayerId() == player {
				return answer.Decision, nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// play plays the hand to its end: every answer names the decision that comes next.
func (c client) play(ctx context.Context, tableID string, decision *croupier.Decision) error {
	hand := decision.HandId
	for decision.GetHandId() == hand {
		action, amount := choose(decision)
		answer, err := c.betting.Act(ctx, &croupier.ActRequest{
			RequestId: requestID(), TableId: tableID, PlayerId: decision.PlayerId, HandId: hand,
			ActionSequence: decision.ActionSequence, Action: action, Amount: amount,
		})
		if err != nil {
			return err
		}
		decision = answer.NextDecision
	}
	return nil
}

// choose opens with the least raise, then checks or calls.
func choose(decision *croupier.Decision) (croupier.ActionKind, int64) {
	legal := decision.LegalActions
	switch {
	case decision.ActionSequence == 1 && legal.MinRaiseTo > 0:
		return croupier.ActionKind_ACTION_KIND_RAISE_TO, legal.MinRaiseTo
	case legal.CanCheck:
		return croupier.ActionKind_ACTION_KIND_CHECK, 0
	default:
		return croupier.ActionKind_ACTION_KIND_CALL, 0
	}
}

// watch tells every event of the table, from its first to its last.
func (c client) watch(ctx context.Context, tableID string) error {
	asked := &croupier.WatchTableRequest{TableId: tableID, ResumeAfterSequence: proto.Int64(0)}
	stream, err := c.tables.WatchTable(ctx, asked)
	if err != nil {
		return err
	}
	for {
		message, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, event := range message.GetEvents().GetEvents() {
			fmt.Printf("%3d %s\n", event.Sequence, told(event))
		}
	}
}

var betweenWords = regexp.MustCompile("([a-z])([A-Z])")

// told is an event in words.
func told(event *croupier.TableEvent) string {
	switch it := event.Event.(type) {
	case *croupier.TableEvent_BoughtIn:
		return fmt.Sprintf("%s buys in at seat %d", it.BoughtIn.PlayerId, it.BoughtIn.SeatNumber)
	case *croupier.TableEvent_HandStarted:
		return fmt.Sprintf("hand %s, button at seat %d", it.HandStarted.HandId, it.HandStarted.ButtonSeat)
	case *croupier.TableEvent_BlindPosted:
		return fmt.Sprintf("seat %d posts a blind of %d", it.BlindPosted.SeatNumber, it.BlindPosted.Paid)
	case *croupier.TableEvent_Checked:
		return fmt.Sprintf("seat %d checks", it.Checked.SeatNumber)
	case *croupier.TableEvent_Called:
		return fmt.Sprintf("seat %d calls %d", it.Called.SeatNumber, it.Called.Paid)
	case *croupier.TableEvent_Raised:
		return fmt.Sprintf("seat %d raises to %d", it.Raised.SeatNumber, it.Raised.StreetBet)
	case *croupier.TableEvent_StreetDealt:
		street := strings.ToLower(strings.TrimPrefix(it.StreetDealt.Street.String(), "STREET_"))
		return fmt.Sprintf("%s: %s", street, strings.Join(it.StreetDealt.Cards, " "))
	case *croupier.TableEvent_HoleCardsShown:
		shown := it.HoleCardsShown
		return fmt.Sprintf("seat %d shows %s", shown.SeatNumber, strings.Join(shown.HoleCards, " "))
	case *croupier.TableEvent_PotAwarded:
		var awards []string
		for _, award := range it.PotAwarded.Awards {
			awards = append(awards, fmt.Sprintf("seat %d wins %d", award.SeatNumber, award.Amount))
		}
		pot := it.PotAwarded
		return fmt.Sprintf("pot of %d, rake %d: %s", pot.Amount, pot.Rake, strings.Join(awards, ", "))
	case *croupier.TableEvent_HandEnded:
		var results []string
		for _, result := range it.HandEnded.Results {
			results = append(results, fmt.Sprintf("seat %d %+d", result.SeatNumber, result.Net))
		}
		return fmt.Sprintf("hand over: %s, rake %d", strings.Join(results, ", "), it.HandEnded.Rake)
	case *croupier.TableEvent_TableClosed:
		return "table closed"
	default:
		kind := strings.TrimPrefix(fmt.Sprintf("%T", event.Event), "*croupierv1.TableEvent_")
		return strings.ToLower(betweenWords.ReplaceAllString(kind, "$1 $2"))
	}
}

// requestID names a change that no other has named: repeated with it, the change is made once.
func requestID() string { return rand.Text() }
